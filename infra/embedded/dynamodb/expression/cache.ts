import { validationException } from '../../common-errors.ts';
import { ConditionParser, type Condition } from './condition.ts';
import { SyntaxProblem } from './lexer.ts';
import { Parser, type Path, type Step } from './parser.ts';
import { UpdateParser, type Action } from './update.ts';

/** A parsed expression and its placeholders. */
export interface Expression<T> {
  readonly ast: T;
  readonly nameRefs: readonly string[];
  readonly valueRefs: readonly string[];
  readonly heads: readonly Step[];
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
const MAX_EXPRESSION_BYTES = 4096;
const MAX_OPERATORS = 300;
/** Our code has a few dozen expressions; the limit is for callers that generate them. */
const MAX_CACHED = 2000;

/** Parses each text once. */
function cached<P extends Parser, T>(
  member: string,
  start: (source: string) => P,
  parse: (parser: P) => T,
): (source: string) => Expression<T> {
  const known = new Map<string, Expression<T>>();
  return (source) => {
    const hit = known.get(source);
    if (hit) return hit;
    if (source.trim() === '') throw validationException(`Invalid ${member}: The expression can not be empty;`);
    const size = Buffer.byteLength(source);
    if (size > MAX_EXPRESSION_BYTES) {
      throw validationException(
        `Invalid ${member}: Expression size has exceeded the maximum allowed size; expression size: ${size}`,
      );
    }
    try {
      const parser = start(source);
      const ast = parse(parser);
      parser.end();
      if (parser.operators > MAX_OPERATORS)
        throw new SyntaxProblem(`The expression has more than ${MAX_OPERATORS} operators: ${parser.operators}`);
      const { nameRefs, valueRefs, heads } = parser;
      const expression = { ast, nameRefs: [...nameRefs], valueRefs: [...valueRefs], heads };
      if (known.size >= MAX_CACHED) known.clear();
      known.set(source, expression);
      return expression;
    } catch (error) {
      if (error instanceof SyntaxProblem) throw validationException(`Invalid ${member}: ${error.message}`);
      throw error;
    }
  };
}

function conditions(member: string): (source: string) => Expression<Condition> {
  return cached(
    member,
    (source) => new ConditionParser(source),
    (parser) => parser.condition(),
  );
}

export const parseCondition = conditions('ConditionExpression');
export const parseFilter = conditions('FilterExpression');
export const parseKeyCondition = conditions('KeyConditionExpression');

export const parseUpdate: (source: string) => Expression<Action[]> = cached(
  'UpdateExpression',
  (source) => new UpdateParser(source),
  (parser) => parser.update(),
);

export const parseProjection: (source: string) => Expression<Path[]> = cached(
  'ProjectionExpression',
  (source) => new Parser(source),
  (parser) => parser.list(() => parser.path()),
);
