'use strict';

/**
 * Refuses a Node version below the minimum in package.json, with one sentence. The scripts run this file before the
 * programs, whose syntax and flags an old Node does not support, so it uses ES5 syntax only.
 */
function numbersOf(version) {
  return /(\d+)(?:\.(\d+))?/.exec(version).slice(1).map(Number);
}

var minimum = require('../package.json').engines.node;
var required = numbersOf(minimum);
var actual = numbersOf(process.versions.node);
if (actual[0] < required[0] || (actual[0] === required[0] && actual[1] < required[1])) {
  process.stderr.write(
    'Tributary needs Node ' + required.join('.') + ' or later; this is Node ' + process.versions.node + '.\n',
  );
  process.exit(2);
}
