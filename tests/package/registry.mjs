// registry.mjs UPSTREAM FILE.tgz...
//
// A registry of npm on this machine that has the packages in the files, and passes everything else on to UPSTREAM.
// Prints its address, then a line for each package that it has sent: bytes and name.
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename } from 'node:path';

const [upstream, ...files] = process.argv.slice(2);
const packages = new Map();
for (const file of files) {
  const bytes = readFileSync(file);
  const about = JSON.parse(execFileSync('tar', ['-xzOf', file, 'package/package.json']));
  packages.set(about.name, { about, bytes, file: basename(file) });
}

function packument(address, { about, bytes, file }) {
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  const shasum = createHash('sha1').update(bytes).digest('hex');
  const dist = { tarball: `${address}/-local/${file}`, integrity, shasum };
  return JSON.stringify({
    name: about.name,
    'dist-tags': { latest: about.version },
    versions: { [about.version]: { ...about, dist } },
    time: { [about.version]: '2026-01-01T00:00:00.000Z' },
  });
}

async function pass(request, response, address) {
  const headers = { accept: request.headers.accept ?? '*/*' };
  const answer = await fetch(upstream + request.url, { headers });
  let body = Buffer.from(await answer.arrayBuffer());
  const type = answer.headers.get('content-type') ?? '';
  if (type.includes('json')) {
    body = Buffer.from(body.toString().replaceAll(upstream, address));
  } else {
    console.log(body.length, request.url);
  }
  response.writeHead(answer.status, { 'content-type': type }).end(body);
}

const server = createServer((request, response) => {
  const address = `http://127.0.0.1:${server.address().port}`;
  const path = decodeURIComponent(request.url.slice(1));
  const sent = [...packages.values()].find(({ file }) => path === `-local/${file}`);
  if (packages.has(path)) {
    response.setHeader('content-type', 'application/json');
    response.end(packument(address, packages.get(path)));
  } else if (sent) {
    console.log(sent.bytes.length, sent.file);
    response.end(sent.bytes);
  } else {
    pass(request, response, address).catch((error) => response.writeHead(502).end(String(error)));
  }
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
