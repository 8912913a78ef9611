import { expect, test } from "vitest";
import { metricsIn, noMetric, pairIn, whyEmpty } from "./why";

const text = 'scale(divide([ sum(s("a,]","*")), s("b",{"host":"*"}) ]), {factor:"100"})';

test("the two series of a division are found where they are", () => {
  const pair = pairIn(text);
  expect(pair?.fn).toBe("divide");
  expect(pair?.parts.map((p) => p.text)).toEqual(['sum(s("a,]","*"))', 's("b",{"host":"*"})']);
  expect(pairIn('divide(s("a","*"))')).toBeUndefined();
  expect(pairIn('divide([s("a"')).toBeUndefined();
  expect(pairIn('sum(s("divide","*"))')).toBeUndefined();
});

test("too many series in one place are summed with a click", () => {
  const pair = pairIn(text);
  const why = pair && whyEmpty(pair, [1, 3]);
  expect(why?.text).toBe("No points. divide() got 4 series, so it returns nothing.");
  expect(why?.fix?.label).toBe("Wrap the second in sum()");
  expect(why?.fix?.apply(text)).toBe('scale(divide([ sum(s("a,]","*")), sum(s("b",{"host":"*"})) ]), {factor:"100"})');
});

test("a missing series is not summed away, and two are no reason", () => {
  const pair = pairIn(text);
  expect(pair && whyEmpty(pair, [1, 0])).toEqual({ text: "No points. divide() got 1 series, so it returns nothing." });
  expect(pair && whyEmpty(pair, [1, 1])).toBeUndefined();
});

test("the metrics of an expression are known by name, patterns left out", () => {
  expect(metricsIn('divide([s("a.b", "*"), series( \'c\', {})], s("a.b"), s("web.*"))')).toEqual(["a.b", "c"]);
  expect(metricsIn("sum(")).toEqual([]);
});

test("a metric that does not exist is said, with the one that was meant", () => {
  expect(noMetric("shop.latncy").text).toBe("There is no metric shop.latncy.");
  const said = noMetric("shop.latncy", "shop.latency");
  expect(said.text).toBe("There is no metric shop.latncy. Did you mean");
  expect(said.fix?.apply('s("shop.latncy", "*")')).toBe('s("shop.latency", "*")');
});
