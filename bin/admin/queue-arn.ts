/** The ARN of the queue at an address. The role of schedules is of the same partition. */
export function queueArn(url: string, roleArn: string): string {
  const { hostname, pathname } = new URL(url);
  const [, account = '', name = ''] = pathname.split('/');
  const [, region = ''] = hostname.split('.');
  const [, partition = 'aws'] = roleArn.split(':');
  return ['arn', partition, 'sqs', region, account, name].join(':');
}
