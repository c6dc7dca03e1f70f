// node's own http server in one process: `/camel` writes the keys of a JSON body in camelCase, `/echo` sends it back. Usage: node node_server.mjs PORT
import { createServer } from "node:http";

// Keys repeat, so each is converted once and remembered.
const known = new Map();

function camelCase(key) {
    let name = known.get(key);
    if (name === undefined) {
        name = key.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
        known.set(key, name);
    }
    return name;
}

function withCamelKeys(value) {
    if (Array.isArray(value)) return value.map(withCamelKeys);
    if (value === null || typeof value !== "object") return value;
    const result = {};
    for (const key in value) result[camelCase(key)] = withCamelKeys(value[key]);
    return result;
}

function responseBody(path, body) {
    if (path === "/echo") return body;
    return Buffer.from(JSON.stringify(withCamelKeys(JSON.parse(body.toString("utf8")))));
}

const server = createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
        const body = responseBody(request.url, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
        response.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length });
        response.end(body);
    });
});
server.listen(Number(process.argv[2]), "127.0.0.1");
