/** The codes of the writes of a DynamoDB transaction that was cancelled, by their order; empty for another error. */
export function cancellationReasons(error: unknown): (string | undefined)[] {
  if (!(error instanceof Error) || !('CancellationReasons' in error)) return [];
  const { CancellationReasons: reasons } = error;
  if (!Array.isArray(reasons)) return [];
  return reasons.map((reason: unknown) =>
    typeof reason === 'object' && reason !== null && 'Code' in reason ? String(reason.Code) : undefined,
  );
}
