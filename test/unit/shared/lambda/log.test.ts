import { expect, test, vi } from 'vitest';
import { createLog } from '../../../../shared/lambda/log.ts';

test('a line has the level and the timestamp by which Lambda filters lines', () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  createLog('info', 'f').warn('text', { status: 1 });
  const [[line] = []] = write.mock.calls;
  write.mockRestore();
  expect(JSON.parse(String(line))).toEqual({
    level: 'warn',
    message: 'text',
    function: 'f',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
    status: 1,
  });
});
