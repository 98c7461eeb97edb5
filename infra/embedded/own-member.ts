/** Sets an own member. An assignment to `__proto__` would set the prototype. */
export function setOwn<Value>(holder: Record<string, Value>, name: string, value: Value): void {
  if (name !== '__proto__') holder[name] = value;
  else Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
}
