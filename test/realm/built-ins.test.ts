import { describe, expect, test } from "vitest";
import { makeTestRealm } from "./realm.js";

const realm = makeTestRealm();

// Expected values are those of engines that have these natively: they hold on every supported Node.
describe("built-ins of the current edition", () => {
  test.each([
    ["[1, 2, 3, 4].values().filter((x) => x % 2).map((x) => x * 10).drop(1).take(5).toArray()", "[30]"],
    ["Iterator.from({ next: () => ({ done: true }) }).toArray()", "[]"],
    ["[...Iterator.concat([1], [2, 3])]", "[1,2,3]"],
    ["[...new Set([1, 2]).union(new Set([3]))]", "[1,2,3]"],
    ["[new Set([1]).isSubsetOf(new Set([1, 2])), new Set([1]).isDisjointFrom(new Set([2]))]", "[true,true]"],
    ["Object.groupBy([1, 2, 3], (x) => (x % 2 ? 'odd' : 'even'))", "[object Object]{odd:[1,3],even:[2]}"],
    ["Map.groupBy([1, 2], (x) => x % 2).get(0)", "[2]"],
    ["typeof Promise.withResolvers().resolve", '"function"'],
    ["Promise.try(() => 1) instanceof Promise", "true"],
    ["typeof Array.fromAsync", '"function"'],
    ["RegExp.escape('a.b*c')", '"\\\\x61\\\\.b\\\\*c"'],
    ["Math.f16round(1.337)", "1.3369140625"],
    ["Math.sumPrecise([1e20, 0.1, -1e20])", "0.1"],
    ["[Error.isError(new TypeError()), Error.isError({})]", "[true,false]"],
    ["[Uint8Array.fromBase64('aGk=').toHex(), Uint8Array.fromHex('6869').toBase64()]", '["6869","aGk="]'],
    ["new Map([[1, 2]]).getOrInsert(3, 4)", "4"],
    ["new Map().getOrInsertComputed('a', (key) => key + 'b')", '"ab"'],
    [
      "(() => { const seen = []; const stack = new DisposableStack(); stack.defer(() => seen.push(1)); stack.defer(() => seen.push(2)); stack.dispose(); return seen; })()",
      "[2,1]",
    ],
    ["[typeof Symbol.dispose, typeof Symbol.asyncDispose]", '["symbol","symbol"]'],
    ["new SuppressedError(1, 2, 'm').suppressed", "2"],
    ["new DataView(new ArrayBuffer(2)).getFloat16(0)", "0"],
    ["'ab\\ud800'.toWellFormed() === 'ab\\ufffd'", "true"],
    ["[3, 1].toSorted()", "[1,3]"],
    ["Set.prototype.union.hasOwnProperty('prototype')", "false"],
    ["new (Set.prototype.union)()", "throws TypeError"],
  ])("%s", (expression, expected) => {
    expect(realm.show(expression)).toBe(expected);
  });
});

describe("regular expression modifiers", () => {
  test.each([
    ["[new RegExp('(?i:a)b').test('Ab'), new RegExp('(?i:a)b').test('AB')]", "[true,false]"],
    ["['xab', 'XaB', 'xAb'].map((text) => new RegExp('x(?-i:a)b', 'i').test(text))", "[true,true,false]"],
    [
      "[new RegExp('(?i:a)b', 'g').source, new RegExp('x(?-i:a)b', 'gi').flags, String(new RegExp('(?m-s:.)', 's'))]",
      '["(?i:a)b","gi","/(?m-s:.)/s"]',
    ],
    ["'a\\nb'.match(new RegExp('(?m:^b)')).index", "2"],
    [
      "[new RegExp('(?m:a$)').test('a\\nb'), new RegExp('(?-m:^a)', 'm').test('b\\na'), new RegExp('^c', 'm').test('b\\nc')]",
      "[true,false,true]",
    ],
    [
      "[new RegExp('(?s:.)').test('\\n'), new RegExp('(?-s:.)', 's').test('\\n'), new RegExp('.(?s:.)').test('\\n\\n')]",
      "[true,false,false]",
    ],
    [
      "['B', 'b', 'X', 'é', 'd'].map((text) => new RegExp('^(?i:[a-cx\\\\xc9])$').test(text))",
      "[true,true,true,true,false]",
    ],
    [
      "[new RegExp('(?i:[^a])').test('A'), new RegExp('(?i:\\\\x61)').test('A'), new RegExp('(?i:\\\\d)').test('5')]",
      "[false,true,true]",
    ],
    ["'aXbxc'.replace(new RegExp('(?i:x)', 'g'), '-')", '"a-b-c"'],
    ["'aXbxc'.split(new RegExp('(?i:x)'))", '["a","b","c"]'],
    ["[...'aXbx'.matchAll(new RegExp('(?i:x)', 'g'))].length", "2"],
    ["new RegExp('(?<n>a)(?i:b(?-i:c))').exec('aBc').groups.n", '"a"'],
    ["new RegExp(new RegExp('(?i:a)'), 'g').test('A')", "true"],
    ["new (class extends RegExp {})('(?i:a)').test('A')", "true"],
    ["new RegExp('(?ii:a)')", "throws SyntaxError"],
    ["new RegExp('(?i-i:a)')", "throws SyntaxError"],
    ["new RegExp('(?-:a)')", "throws SyntaxError"],
    ["new RegExp('(?i:a')", "throws SyntaxError"],
    ["new RegExp('(?x:a)')", "throws SyntaxError"],
    [
      "[/a/.constructor === RegExp, RegExp('a') instanceof RegExp, RegExp(/a/g).flags, RegExp.length]",
      '[true,true,"g",2]',
    ],
  ])("%s", (expression, expected) => {
    expect(realm.show(expression)).toBe(expected);
  });
});
