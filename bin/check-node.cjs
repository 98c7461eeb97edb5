'use strict';

/**
 * Refuses a Node that is older than package.json asks for, with one sentence. The scripts run this file before the programs, whose syntax and
 * flags an old Node does not know; it is therefore written in the syntax of 2009.
 */
function numbersOf(version) {
  return /(\d+)(?:\.(\d+))?/.exec(version).slice(1).map(Number);
}

var minimum = require('../package.json').engines.node;
var least = numbersOf(minimum);
var own = numbersOf(process.versions.node);
if (own[0] < least[0] || (own[0] === least[0] && own[1] < least[1])) {
  process.stderr.write(
    'Tributary needs Node ' + least.join('.') + ' or later; this is Node ' + process.versions.node + '.\n',
  );
  process.exit(2);
}
