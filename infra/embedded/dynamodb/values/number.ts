import { validationException } from '../../common-errors.ts';

/**
 * A DynamoDB number is a decimal of up to 38 digits. As in lib-dynamodb, it becomes a JavaScript number, or a bigint if
 * an integer is not safe.
 */
export type Numeric = number | bigint;

const MAX_DIGITS = 38;
/** Magnitude: 1E-130 to 9.99…E+125. */
const MIN_EXPONENT = -130;
const MAX_EXPONENT = 125;

interface Decimal {
  readonly negative: boolean;
  /** Significant digits without leading and trailing zeros; '' is zero. */
  readonly digits: string;
  /** Exponent of the first digit: 12.3 has exponent 1. */
  readonly exponent: number;
}

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

function toDecimal(text: string): Decimal {
  const [, sign, whole = '', fraction = '', power = '0'] = DECIMAL.exec(text) ?? [];
  if (sign === undefined || whole + fraction === '') {
    throw validationException(`The parameter cannot be converted to a numeric value${text === '' ? '' : `: ${text}`}`);
  }
  const all = whole + fraction;
  const leading = /^0*/.exec(all)?.[0].length ?? 0;
  const digits = all.slice(leading).replace(/0+$/, '');
  return {
    negative: sign === '-' && digits !== '',
    digits,
    exponent: whole.length - 1 - leading + Number(power),
  };
}

function check({ digits, exponent }: Decimal): void {
  if (digits === '') return;
  if (exponent > MAX_EXPONENT) {
    throw validationException(
      'Number overflow. Attempting to store a number with magnitude larger than supported range',
    );
  }
  if (exponent < MIN_EXPONENT) {
    throw validationException(
      'Number underflow. Attempting to store a number with magnitude smaller than supported range',
    );
  }
  if (digits.length > MAX_DIGITS)
    throw validationException('Attempting to store more than 38 significant digits in a Number');
}

function plainText({ negative, digits, exponent }: Decimal): string {
  if (digits === '') return '0';
  const sign = negative ? '-' : '';
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  if (exponent >= digits.length - 1) return sign + digits.padEnd(exponent + 1, '0');
  return `${sign}${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}

/** Reads a number in DynamoDB's text form. Throws for numbers that DynamoDB cannot hold. */
export function parseNumber(text: string): Numeric {
  const decimal = toDecimal(text);
  check(decimal);
  const value = Number(text);
  return Math.abs(value) > Number.MAX_SAFE_INTEGER && decimal.exponent >= decimal.digits.length - 1
    ? BigInt(plainText(decimal))
    : value + 0;
}

/** DynamoDB's text form of a number: no exponent, no superfluous zeros. */
export function numberText(value: Numeric): string {
  const text = String(value);
  return text.includes('e') ? plainText(toDecimal(text)) : text;
}

/** Throws for numbers that DynamoDB cannot hold. A safe integer always fits. */
export function checkNumber(value: Numeric): void {
  if (!Number.isSafeInteger(value)) check(toDecimal(String(value)));
}

/** Bytes of a number: one per two significant digits, one for the exponent, one for a minus sign. */
export function numberSize(value: Numeric): number {
  if (value === 0) return 1;
  let length: number;
  let exponent: number;
  let negative: boolean;
  if (typeof value === 'number' && Number.isSafeInteger(value)) {
    negative = value < 0;
    let rest = Math.abs(value);
    exponent = -1;
    let trailing = 0;
    let significant = false;
    while (rest > 0) {
      const next = Math.floor(rest / 10);
      if (!significant && next * 10 === rest) trailing += 1;
      else significant = true;
      exponent += 1;
      rest = next;
    }
    length = exponent + 1 - trailing;
  } else {
    const decimal = toDecimal(String(value));
    ({ exponent, negative } = decimal);
    length = decimal.digits.length;
  }
  return 1 + Math.ceil(length / 2) + (length % 2 !== 0 || exponent % 2 !== 0 ? 0 : 1) + (negative ? 1 : 0);
}

/** A text that sorts like the number. */
export function sortableNumber(value: Numeric): string {
  const { negative, digits, exponent } = toDecimal(String(value));
  if (digits === '') return '1';
  if (!negative) return `2${exponent + 500}${digits}`;
  // A larger magnitude sorts first: exponent and digits are complemented, and `~` sorts a longer number before its
  // prefix.
  let complement = '';
  for (const digit of digits) complement += 9 - Number(digit);
  return `0${500 - exponent}${complement}~`;
}

/** Adds in decimal: 0.1 + 0.2 is 0.3. */
export function addNumbers(left: Numeric, right: Numeric): Numeric {
  if (typeof left === 'number' && typeof right === 'number' && Number.isInteger(left) && Number.isInteger(right)) {
    const sum = left + right;
    if (Number.isSafeInteger(sum)) return sum;
  }
  const [a, b] = [toDecimal(String(left)), toDecimal(String(right))];
  const scale = Math.min(a.exponent - a.digits.length + 1, b.exponent - b.digits.length + 1);
  return parseNumber(`${scaled(a, scale) + scaled(b, scale)}e${scale}`);
}

function scaled({ negative, digits, exponent }: Decimal, scale: number): bigint {
  if (digits === '') return 0n;
  const magnitude = BigInt(digits.padEnd(exponent + 1 - scale, '0'));
  return negative ? -magnitude : magnitude;
}
