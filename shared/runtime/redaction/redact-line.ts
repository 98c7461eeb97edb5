import type { PropDefinition } from '../../domain/prop-definition.ts';
import type { RunnerLine } from '../../domain/run.ts';
import type { Hiding } from './redactor.ts';

type Respond = Extract<RunnerLine, { k: 'respond' }>;
type Options = Extract<RunnerLine, { k: 'options' }>;

/** An answer as whoever asked may see it. What we must be able to read in it stays readable. */
export function shownLine(line: RunnerLine, hide: Hiding): RunnerLine {
  if (line.k === 'respond') return respond(line, hide);
  if (line.k === 'options') return options(line, hide);
  if (line.k === 'props') return { ...line, props: line.props.map((prop) => definition(prop, hide)) };
  return line;
}

function respond(line: Respond, hide: Hiding): Respond {
  const { headers, cookies, body, base64 } = line;
  const { inString } = hide;
  const shown = Object.entries(headers).map(([name, value]) => [name, inString(value)]);
  return {
    ...line,
    headers: Object.fromEntries(shown),
    ...(cookies ? { cookies: cookies.map(inString) } : {}),
    body: base64 ? inBytes(body, hide) : inBody(body, hide),
  };
}

function inBody(body: string, { inJson, inString }: Hiding): string {
  if (!/^\s*[[{]/.test(body)) return inString(body);
  try {
    return inJson(body);
  } catch {
    return inString(body);
  }
}

/** Byte by byte, so that what is no text stays what it is. */
const inBytes = (base64: string, { inString }: Hiding): string => {
  const bytes = Buffer.from(base64, 'base64').toString('latin1');
  const shown = inString(bytes);
  return shown === bytes ? base64 : Buffer.from(shown, 'latin1').toString('base64');
};

function options(line: Options, { inJson }: Hiding): Options {
  const shown: unknown = JSON.parse(inJson(JSON.stringify([line.options, line.context])));
  const [options, context]: unknown[] = Array.isArray(shown) ? shown : [];
  return { ...line, options: Array.isArray(options) ? options : [], context: context ?? null };
}

/**
 * Named as the source will look for it; the members are ours, their values the component's. A default that is not to be shown is none, and
 * neither is a limit: what stands in its place would be taken for one.
 */
function definition(prop: PropDefinition, { inEvent, inName }: Hiding): PropDefinition {
  const shown: PropDefinition = { name: inName(prop.name), type: prop.type };
  for (const [member, value] of Object.entries(prop)) {
    if (member === 'name' || member === 'type') continue;
    const visible = member === 'app' ? value : inEvent(value);
    const isTaken = member === 'default' || typeof value === 'number';
    if (!isTaken || JSON.stringify(visible) === JSON.stringify(value)) shown[member] = visible;
  }
  return shown;
}
