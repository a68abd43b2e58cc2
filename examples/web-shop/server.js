// Serves the folder `shop`, and nothing else, on the loopback address.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const port = Number(process.env.PORT ?? 4173);
const folder = fileURLToPath(new URL('shop/', import.meta.url));
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  const name = pathname === '/' ? 'index.html' : pathname.slice(1);
  if (!/^[\w-]+\.(html|js|css)$/.test(name)) {
    response.writeHead(404).end('Not found');
    return;
  }
  try {
    const content = await readFile(join(folder, name));
    response.writeHead(200, { 'content-type': `${types[extname(name)]}; charset=utf-8` }).end(content);
  } catch {
    response.writeHead(404).end('Not found');
  }
}).listen(port, '127.0.0.1', () => console.log(`The shop is open: http://127.0.0.1:${port}`));
