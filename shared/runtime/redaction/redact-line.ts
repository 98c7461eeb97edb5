import type { PropDefinition } from '../../domain/component/prop-definition.ts';
import type { RunnerLine } from '../../domain/run/run.ts';
import type { Redactor } from './redactor.ts';

type Line<K extends RunnerLine['k']> = Extract<RunnerLine, { k: K }>;

/** Redacts a response, options or props. Members that the service itself reads stay readable. */
export function redactLine(line: RunnerLine, redactor: Redactor): RunnerLine {
  if (line.k === 'respond') return redactResponse(line, redactor);
  if (line.k === 'options') return redactOptions(line, redactor);
  if (line.k === 'props') return { ...line, props: line.props.map((prop) => redactProp(prop, redactor)) };
  return line;
}

function redactResponse(line: Line<'respond'>, redactor: Redactor): Line<'respond'> {
  const { headers, cookies, body, base64 } = line;
  const inText = (text: string) => redactor.inText(text);
  const shown = Object.entries(headers).map(([name, value]) => [name, inText(value)]);
  return {
    ...line,
    headers: Object.fromEntries(shown),
    ...(cookies ? { cookies: cookies.map(inText) } : {}),
    body: base64 ? redactBytes(body, redactor) : redactBody(body, redactor),
  };
}

function redactBody(body: string, redactor: Redactor): string {
  if (!/^\s*[[{]/.test(body)) return redactor.inText(body);
  try {
    return redactor.inJson(body);
  } catch {
    return redactor.inText(body);
  }
}

/** Reads the bytes as Latin-1, so that bytes that are not text stay the same. */
function redactBytes(base64: string, redactor: Redactor): string {
  const bytes = Buffer.from(base64, 'base64').toString('latin1');
  const shown = redactor.inText(bytes);
  return shown === bytes ? base64 : Buffer.from(shown, 'latin1').toString('base64');
}

function redactOptions(line: Line<'options'>, redactor: Redactor): Line<'options'> {
  const shown: unknown = JSON.parse(redactor.inJson(JSON.stringify([line.options, line.context])));
  const [options, context]: unknown[] = Array.isArray(shown) ? shown : [];
  return { ...line, options: Array.isArray(options) ? options : [], context: context ?? null };
}

/** A default or a limit that holds a credential is left out: `[hidden]` would be taken for the default. */
function redactProp(prop: PropDefinition, redactor: Redactor): PropDefinition {
  const shown: PropDefinition = { name: redactor.inText(prop.name), type: prop.type };
  for (const [member, value] of Object.entries(prop)) {
    if (member === 'name' || member === 'type') continue;
    const visible = member === 'app' ? value : redactor.inValue(value);
    const isTaken = member === 'default' || typeof value === 'number';
    if (!isTaken || JSON.stringify(visible) === JSON.stringify(value)) shown[member] = visible;
  }
  return shown;
}
