/** Words of the SDK that name no mend. */
const MENDS = new Map([
  ['Region is missing', 'no region is set: set AWS_REGION, or a region in the profile of AWS_PROFILE'],
  [
    'Could not load credentials from any providers',
    'there are no AWS credentials: set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  ],
]);

/** The first line of an error's message, or its mend, with a full stop: the end of a sentence for the operator. */
export function reasonOf(cause: unknown): string {
  const [line = ''] = (cause instanceof Error ? cause.message || cause.name : String(cause)).split('\n');
  return (MENDS.get(line) ?? line).replace(/\.?$/, '.');
}
