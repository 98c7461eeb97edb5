import { DecryptCommand } from '@aws-sdk/client-kms';
import { beforeEach, expect, test } from 'vitest';
import { operateWith } from '../../../../bin/admin/operate.ts';
import { runCommand } from '../../../support/command.ts';
import { ann, calls, kms, resetAws, slack } from './aws.ts';

beforeEach(resetAws);

const operate = operateWith(() => Promise.reject(new Error('The command uses no service of this machine')));
const lost = (...argv: string[]) =>
  runCommand(['admin', 'secrets', 'lost', '--stack', 'Ours', ...argv], { operate });
const refuse = (name: string) => kms.on(DecryptCommand).rejects(Object.assign(new Error(name), { name }));

test.each(['IncorrectKeyException', 'InvalidCiphertextException', 'NotFoundException'])(
  'a secret that KMS cannot decrypt (%s) is listed with its owner and the command that mends it, and nothing changes',
  async (name) => {
    refuse(name);
    const { code, out } = await lost('--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual([
      { owner: ann, kind: 'account', id: slack, mend: `tributary accounts update ${slack} --field …` },
    ]);
    expect(calls().filter((call) => !/^(BatchGet|Get|Query|Decrypt) /.test(call))).toEqual([]);
  },
);

test.each(['DisabledException', 'KMSInvalidStateException'])(
  'a key that is switched off (%s) has lost nothing, and the sentence says how to switch it on',
  async (name) => {
    refuse(name);
    expect(await lost()).toMatchObject({
      code: 1,
      out: '',
      error: expect.stringMatching(/nothing is lost yet.*cancel-key-deletion.*enable-key/) as string,
    });
  },
);

test('an operator who may not decrypt is told so, and no secret is called lost', async () => {
  refuse('AccessDeniedException');
  expect(await lost()).toMatchObject({ code: 1, out: '', error: 'AccessDeniedException\n' });
});
