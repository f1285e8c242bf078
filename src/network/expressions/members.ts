import { RE2JS } from 're2js';

const printableAscii = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));

/** For an expression of one character, those of ASCII and of the whole expression that it matches. */
export function membersIn(whole: string): (character: string) => ReadonlySet<string> {
  const alphabet = [...new Set([...printableAscii, ...whole, '\t', '\n'])];
  return (character) => {
    // Most are letters, and RE2 need not be asked.
    if (character !== '.' && [...character].length === 1) return new Set([character]);
    const expression = RE2JS.compile(character);
    return new Set(alphabet.filter((each) => expression.matches(each)));
  };
}
