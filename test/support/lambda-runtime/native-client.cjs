'use strict';

/**
 * Preloaded before `aws-lambda-ric`. The package brings C++ sources of its HTTP client, which `npm install` compiles
 * with cmake and two further libraries. Here the same three functions are JavaScript, so that nothing is compiled; all
 * other code is that of the package.
 * https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/blob/main/src/native/rapid-client.cc
 */
const { Agent, request } = require('node:http');

const [hostname, port] = process.env.AWS_LAMBDA_RUNTIME_API.split(':');
// One connection, so that an answer is sent before the next invocation is asked for: the native client blocks until it
// is sent.
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

function call(method, path, body, headers) {
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, agent, method, path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece) => (text += piece));
      response.on('end', () => resolve({ bodyJson: text, headers: response.headers }));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const post = (path, body, headers = {}) =>
  void call('POST', `/2018-06-01/runtime/invocation/${path}`, body, {
    'content-type': 'application/json',
    ...headers,
  });

const client = {
  next: () => call('GET', '/2018-06-01/runtime/invocation/next'),
  done: (id, body) => post(`${id}/response`, body),
  error: (id, body, xray) => post(`${id}/error`, body, { 'lambda-runtime-function-xray-error-cause': xray }),
};

const { dlopen } = process;
process.dlopen = (module, filename, ...rest) => {
  if (filename.endsWith('/rapid-client.node')) module.exports = client;
  else dlopen.call(process, module, filename, ...rest);
};
