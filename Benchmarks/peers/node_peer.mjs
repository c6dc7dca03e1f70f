// JSON.parse, keys rewritten by recursion, JSON.stringify; from bytes to bytes. Serves the requests of README.md.
import { readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const renames = new Map([
    ["created_at", "ca"], ["screen_name", "sn"], ["id_str", "is"], ["name", "n"], ["type", "t"],
]);
// Keys repeat, so each is converted once and remembered.
const known = new Map(renames);

function rewritten(key) {
    let name = known.get(key);
    if (name === undefined) {
        name = camelCase(key);
        known.set(key, name);
    }
    return name;
}

function camelCase(key) {
    const core = key.replace(/^_+/, "");
    if (!core.includes("_")) return key;
    const [first, ...others] = core.split("_").filter((word) => word !== "");
    const capitalised = others.map((word) => word[0].toUpperCase() + word.slice(1).toLowerCase());
    return key.slice(0, key.length - core.length) + first.toLowerCase() + capitalised.join("");
}

function withRewrittenKeys(value) {
    if (Array.isArray(value)) return value.map(withRewrittenKeys);
    if (value === null || typeof value !== "object") return value;
    const result = {};
    for (const key in value) result[rewritten(key)] = withRewrittenKeys(value[key]);
    return result;
}

function convert(texts, rewritesKeys) {
    const output = texts.map((text) => {
        const value = JSON.parse(text.toString("utf8"));
        return JSON.stringify(rewritesKeys ? withRewrittenKeys(value) : value);
    });
    return Buffer.from(output.join("\n"));
}

const loaded = new Map();

function textsOf(path) {
    if (!loaded.has(path)) {
        const data = readFileSync(path);
        const isLines = path.endsWith(".ndjson");
        const lines = () => data.toString("utf8").split("\n").filter((line) => line !== "").map((line) => Buffer.from(line));
        loaded.set(path, isLines ? lines() : [data]);
    }
    return loaded.get(path);
}

for await (const line of createInterface({ input: process.stdin })) {
    const [verb, task, path, argument] = line.split(" ");
    const texts = textsOf(path);
    if (verb === "write") {
        writeFileSync(argument, convert(texts, task === "keys"));
        console.log("done");
        continue;
    }
    const nanosecondsWanted = BigInt(Math.round(Number(argument) * 1e9));
    const start = process.hrtime.bigint();
    let count = 0;
    let elapsed;
    do {
        convert(texts, task === "keys");
        count++;
        elapsed = process.hrtime.bigint() - start;
    } while (elapsed < nanosecondsWanted);
    console.log(`${count} ${elapsed}`);
}
