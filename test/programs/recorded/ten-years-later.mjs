/** Preloaded by the recorded service, which then believes that it is ten years later: `LATER_MS` of `later.ts`. */
const LATER_MS = 10 * 365 * 86_400_000;
const Present = Date;

globalThis.Date = class extends Present {
  constructor(...parts) {
    if (parts.length === 0) super(Present.now() + LATER_MS);
    else super(...parts);
  }

  static now() {
    return Present.now() + LATER_MS;
  }
};
