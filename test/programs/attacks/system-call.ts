/**
 * A program in machine code of x86-64 that makes one system call and ends with the number of its error, or with 0. It
 * stands for native code, which knows no Node.
 */
function program(number: number, [first = 0, second = 0, third = 0]: readonly number[]): Buffer {
  const le32 = (value: number) => [0, 8, 16, 24].map((shift) => (value >> shift) & 255);
  const code = Buffer.from([
    ...[0xbf, ...le32(first), 0xbe, ...le32(second), 0xba, ...le32(third)],
    ...[0x45, 0x31, 0xd2, 0x45, 0x31, 0xc0, 0x45, 0x31, 0xc9],
    ...[0xb8, ...le32(number), 0x0f, 0x05],
    // The negative answer is the number of an error.
    ...[0x31, 0xff, 0x85, 0xc0, 0x79, 0x04, 0xf7, 0xd8, 0x89, 0xc7],
    ...[0xb8, ...le32(60), 0x0f, 0x05],
  ]);
  // https://refspecs.linuxfoundation.org/elf/gabi4+/contents.html
  const headers = Buffer.alloc(120);
  const [address, size] = [0x40_0000n, BigInt(headers.length + code.length)];
  headers.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  headers.set([2, 0, 0x3e, 0, 1], 16);
  headers.writeBigUInt64LE(address + BigInt(headers.length), 24);
  headers.writeBigUInt64LE(64n, 32);
  headers.set([64, 0, 56, 0, 1], 52);
  headers.set([1, 0, 0, 0, 5], 64);
  headers.writeBigUInt64LE(address, 80);
  headers.writeBigUInt64LE(address, 88);
  headers.writeBigUInt64LE(size, 96);
  headers.writeBigUInt64LE(size, 104);
  headers.writeBigUInt64LE(0x1000n, 112);
  return Buffer.concat([headers, code]);
}

/** An expression that runs the call in a program of its own. Its response is `reached` or the name of the error. */
export const systemCall = (number: number, ...args: readonly number[]): string => `(() => {
  const file = process.cwd() + '/call-${number}';
  fs.writeFileSync(file, Buffer.from('${program(number, args).toString('base64')}', 'base64'), { mode: 0o700 });
  const { status, error } = child.spawnSync(file);
  if (error || status === null) return 'did not run: ' + (error ? error.code : 'ended by a signal');
  return status === 0 ? 'reached' : Object.entries(os.constants.errno).find(([, number]) => number === status)[0];
})()`;
