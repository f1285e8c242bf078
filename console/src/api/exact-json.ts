const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** JSON in which each number that a double may round is text: amounts keep every digit. */
export function exactJson(json: string): string {
  return json.replace(tokens, (token) => (token.startsWith('"') || isExact(token) ? token : `"${token}"`));
}

function isExact(number: string): boolean {
  return /^-?\d{1,15}$/.test(number);
}
