import { expect, test } from '@playwright/test';
import { EXPRESS, TOTAL } from './locators';
import { CheckoutPage } from './pages/checkout-page';

let checkout: CheckoutPage;

test.beforeEach(async ({ page }) => {
  checkout = new CheckoutPage(page);
  await checkout.open();
});

test('takes a voucher', async ({ page }) => {
  await page.locator('#voucher').fill('TEATIME');
  await page.getByRole('button', { name: 'Apply' }).click();

  await expect(page.getByTestId(TOTAL)).toHaveText('11.07 €');
});

test('places an order', async () => {
  await checkout.subscribe();
  await checkout.placeOrder();

  await expect(checkout.message).toHaveText('Thank you! Tea and news are on their way.');
});

test('delivers by express', async ({ page }) => {
  await page.locator(EXPRESS).check();

  await expect(page.getByText('It arrives tomorrow.')).toBeVisible();
});

test('takes a gift note', async ({ page }) => {
  await page.locator('.summary .gift-note').click();

  await expect(page.getByLabel('What shall we write?')).toBeVisible();
});

test('keeps the basket for later', async ({ page }) => {
  await page.getByRole('button', { name: 'Save basket for later' }).click();

  await expect(checkout.message).toHaveText('Your basket will wait for you.');
});

test('shows the delivery terms', async ({ page }) => {
  await page.locator('button.terms').click();

  await expect(page.getByText('We deliver to every door in the country.')).toBeVisible();
});

test('lists the teas as they were chosen', async ({ page }) => {
  await expect(page.locator('.lines li').first()).toContainText('Assam');
});

test('changes the address', async ({ page }) => {
  await checkout.changeStreet('3 Bridge Street');

  await expect(page.getByLabel('Street')).toHaveValue('3 Bridge Street');
});

test('pays by card', async ({ page }) => {
  await checkout.payByCard('4000123412345678');

  await expect(page.getByText('We charge the card that ends in 5678.')).toBeVisible();
});
