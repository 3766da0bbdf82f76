"use strict";

// Clients whose samples are shown. Scalar knows more; a longer list is harder to read.
const shown = { shell: ["curl"], go: ["native"], python: ["requests"], js: ["fetch"] };
const known = {
  c: ["libcurl"], clojure: ["clj_http"], csharp: ["httpclient", "restsharp"], dart: ["http"], fsharp: ["httpclient"], go: ["native"],
  http: ["http1.1"], java: ["asynchttp", "nethttp", "okhttp", "unirest"], js: ["axios", "fetch", "jquery", "ofetch", "xhr"],
  julia: ["http"], kotlin: ["okhttp"], node: ["axios", "fetch", "ofetch", "undici"], objc: ["nsurlsession"], ocaml: ["cohttp"],
  php: ["curl", "guzzle", "laravel"], powershell: ["restmethod", "webrequest"],
  python: ["aiohttp", "httpx_async", "httpx_sync", "python3", "requests"], r: ["httr2"], ruby: ["native"], rust: ["reqwest"],
  shell: ["curl", "httpie", "wget"], swift: ["nsurlsession"],
};

const hidden = Object.fromEntries(Object.entries(known).map(([language, clients]) => {
  const rest = clients.filter((client) => !(shown[language] ?? []).includes(client));
  return [language, shown[language] ? rest : true];
}));

// optional fills in nothing that a caller may leave out. Scalar would send the first value of every enumeration. The value that
// the description shows stands in the form, switched off.
function optional(parameter) {
  const told = / For example `(.*)`\.$/.exec(parameter.description ?? "");
  const value = told?.[1] ?? parameter.schema?.enum?.[0] ?? "";
  parameter.examples = { default: { value, "x-disabled": true } };
}

// typescript is a sample whose answer has the type that openapi-typescript makes of the document.
function typescript(path, method, operation) {
  const required = (operation.parameters ?? []).filter((p) => p.required);
  const query = new URLSearchParams(required.filter((p) => p.in === "query").map((p) => [p.name, p.example]));
  const filled = required.filter((p) => p.in === "path")
    .reduce((text, p) => text.replace(`{${p.name}}`, encodeURIComponent(p.example)), path);
  const url = location.origin + filled + (query.size > 0 ? `?${query}` : "");
  const body = operation.requestBody?.content?.["application/json"]?.example;
  const headers = [];
  if (operation.security?.length > 0 && !operation.security.some((s) => Object.keys(s).length === 0)) {
    headers.push("Authorization: `Bearer ${process.env.GP_ATLAS_TOKEN}`");
  }
  if (body !== undefined) headers.push('"Content-Type": "application/json"');
  const options = [];
  if (method !== "get") options.push(`  method: "${method.toUpperCase()}",\n`);
  if (headers.length > 0) options.push(`  headers: { ${headers.join(", ")} },\n`);
  if (body !== undefined) options.push(`  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll("\n", "\n  ")}),\n`);
  const lines = [
    `const response = await fetch(${JSON.stringify(url)}${options.length > 0 ? `, {\n${options.join("")}}` : ""});`,
    "if (!response.ok) throw new Error(await response.text());",
  ];
  const [status, success] = Object.entries(operation.responses).find(([code]) => code.startsWith("2")) ?? [];
  if (success?.content?.["application/json"]) {
    lines.unshift(`// npx openapi-typescript ${location.origin}/openapi.json -o gpatlas.ts`, 'import type { paths } from "./gpatlas";', "");
    lines.push("", `type Answer = paths["${path}"]["${method}"]["responses"][${status}]["content"]["application/json"];`,
      "const answer: Answer = await response.json();");
  }
  return lines.join("\n");
}

// prepared is the document as the page shows it. What others read at /openapi.json is not changed.
function prepared(document) {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of ["get", "post", "put", "patch", "delete"]) {
      const operation = item[method];
      if (!operation) continue;
      for (const parameter of operation.parameters ?? []) {
        if (!parameter.required) optional(parameter);
        delete parameter.schema?.description; // the parameter says the same
      }
      operation["x-codeSamples"] = [{ lang: "typescript", label: "TypeScript", source: typescript(path, method, operation) }];
    }
  }
  return document;
}

// Everything that would ask another host is off: fonts, telemetry, the proxy, the agent, the client's own site.
async function start() {
  const response = await fetch("/openapi.json");
  Scalar.createApiReference("#reference", {
    content: prepared(await response.json()),
    baseServerURL: location.origin,
    agent: { disabled: true },
    mcp: { disabled: true },
    telemetry: false,
    withDefaultFonts: false,
    persistAuth: false,
    hideClientButton: true,
    showDeveloperTools: "never",
    documentDownloadType: "none",
    defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
    hiddenClients: hidden,
  });
}

start();
