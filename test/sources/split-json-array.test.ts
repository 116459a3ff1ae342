import fc from "fast-check";
import { expect, it } from "vitest";
import { splitJsonArray } from "../../lib/sources/split-json-array.js";

it("splits any array into the texts of its elements", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue({ maxDepth: 3 })), (values) => {
      const elements = splitJsonArray(JSON.stringify(values));
      expect(elements?.map((element) => JSON.parse(element))).toEqual(JSON.parse(JSON.stringify(values)));
    }),
  );
  expect(splitJsonArray('[ {"a":"],[\\"" , "n":[1,2]} , 2 ]')).toEqual([' {"a":"],[\\"" , "n":[1,2]} ', " 2 "]);
  expect(["[", "]", "[1]]", '["]', "[[]", "{}", "[1}{2]"].map(splitJsonArray)).toEqual(Array(7).fill(null));
});
