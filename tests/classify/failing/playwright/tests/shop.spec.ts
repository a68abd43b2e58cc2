import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { discountOf } from '../src/discount';

const SHOP = 'http://shop.test/';

test('a price is shown', async ({ page }) => {
  await page.setContent('<p id="price">3.00</p>');
  await expect(page.locator('#price')).toHaveText('3.00');
});

test('a button that was renamed', async ({ page }) => {
  await page.setContent('<main><button id="pay-now">Pay now</button></main>');
  await page.locator('#pay').click();
});

test('two buttons of one name', async ({ page }) => {
  await page.setContent('<button>Buy</button><button>Buy</button>');
  await page.getByRole('button', { name: 'Buy' }).click();
});

test('a button behind a curtain', async ({ page }) => {
  await page.setContent('<button>Buy</button><div style="position: fixed; inset: 0; z-index: 2">Please wait</div>');
  await page.getByRole('button', { name: 'Buy' }).click();
});

test('another price', async ({ page }) => {
  await page.setContent('<p id="price">3.50</p>');
  await expect(page.locator('#price')).toHaveText('3.00');
});

test('another address', async ({ page }) => {
  await page.route(`${SHOP}**`, (route) => route.fulfill({ body: '<h1>Basket</h1>', contentType: 'text/html' }));
  await page.goto(`${SHOP}basket`);
  await expect(page).toHaveURL(`${SHOP}checkout`);
});

test('a server that was not started', async ({ page }) => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  await page.goto(`http://localhost:${port}/`);
});

test('an answer of another status', async ({ request }) => {
  const server = createServer((_, response) => {
    response.statusCode = 404;
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const response = await request.get(`http://127.0.0.1:${port}/orders/7`);
  server.closeAllConnections();
  server.close();
  expect(response.status()).toBe(200);
});

test('a receipt that differs from the stored one', async () => {
  expect('Tea 3.50\n').toMatchSnapshot('receipt.txt');
});

test('a request that is answered twice', async ({ page }) => {
  let failed: unknown;
  await page.route(SHOP, async (route) => {
    await route.fulfill({ body: 'tea' });
    await route.fulfill({ body: 'tea' }).catch((error) => { failed = error; });
  });
  await page.goto(SHOP);
  if (failed) throw failed;
});

test('a field in a frame that is not there', async ({ page }) => {
  await page.setContent('<iframe title="Help" srcdoc="<p>Help</p>"></iframe>');
  await page.frameLocator('iframe[title="Card"]').getByLabel('Number').fill('4242');
});

test('a product function that breaks', async () => {
  expect(discountOf({})).toBe(0);
});
