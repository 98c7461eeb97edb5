/** Bytes of a number: one per two significant digits, one for the exponent, one for a minus sign. */
export function numberSize(value: number): number {
  if (value === 0) return 1;
  let length: number;
  let exponent: number;
  if (Number.isSafeInteger(value)) {
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
    const [mantissa = '', power] = Math.abs(value).toExponential().split('e');
    length = mantissa.replace('.', '').length;
    exponent = Number(power);
  }
  return 1 + Math.ceil(length / 2) + (length % 2 !== 0 || exponent % 2 !== 0 ? 0 : 1) + (value < 0 ? 1 : 0);
}
