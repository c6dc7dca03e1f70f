// Time zones for the engine, which reads TZif files (RFC 9636). They are made from the browser's time zones.

const FIRST_YEAR = 1901;
const LAST_YEAR = 2100;
const STEP_SECONDS = 20 * 86_400;

/** The TZif file of a time zone; undefined if the browser does not know it. */
export function compiledZone(name) {
  let format;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: name, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric',
      hour: 'numeric', minute: 'numeric', second: 'numeric',
    });
  } catch {
    return undefined;
  }
  const offset = (seconds) => {
    const parts = {};
    for (const { type, value } of format.formatToParts(seconds * 1000)) parts[type] = Number(value);
    return Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second) / 1000 - seconds;
  };
  return file(transitions(offset));
}

/** The seconds at which the offset changes, each with the new offset. */
function transitions(offset) {
  const end = Date.UTC(LAST_YEAR, 0) / 1000;
  let start = Date.UTC(FIRST_YEAR, 0) / 1000;
  let known = offset(start);
  const found = [{ seconds: start, offset: known }];
  while (start < end) {
    const next = start + STEP_SECONDS;
    const after = offset(next);
    if (after !== known) {
      let [low, high] = [start, next];
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2);
        if (offset(middle) === known) low = middle;
        else high = middle;
      }
      found.push({ seconds: high, offset: after });
      known = after;
    }
    start = next;
  }
  return found;
}

/** A file of version 2. Its first part, with 32-bit times, contains only one type. */
function file(transitions) {
  const offsets = [...new Set(transitions.map(({ offset }) => offset))];
  const bytes = [];
  const number = (value, size) => {
    for (let shift = size - 1; shift >= 0; shift--) bytes.push(Number((BigInt(value) >> BigInt(8 * shift)) & 0xffn));
  };
  const header = (times, types) => {
    bytes.push(...new TextEncoder().encode('TZif2'), ...new Array(15).fill(0));
    for (const count of [0, 0, 0, times, types, 4]) number(count, 4);
  };
  const type = (offset) => {
    number(offset, 4);
    bytes.push(0, 0);
  };
  const designation = [0x4c, 0x4d, 0x54, 0];
  header(0, 1);
  type(0);
  bytes.push(...designation);
  header(transitions.length, offsets.length);
  for (const { seconds } of transitions) number(seconds, 8);
  for (const { offset } of transitions) bytes.push(offsets.indexOf(offset));
  for (const offset of offsets) type(offset);
  bytes.push(...designation, 0x0a, 0x0a);
  return new Uint8Array(bytes);
}
