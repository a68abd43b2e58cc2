import { expect, test } from '@playwright/test';

test.beforeEach(async ({ page }) => {
  await page.goto('/');
});

test('starts empty', async ({ page }) => {
  await expect(page.getByText('It is empty.')).toBeVisible();
  await expect(page.getByTestId('total')).toHaveText('0.00 €');
  await expect(page.getByRole('button', { name: 'Order' })).toBeDisabled();
});

test('adds up different teas', async ({ page }) => {
  await page.getByRole('button', { name: 'Add Assam' }).click();
  await page.getByRole('button', { name: 'Add Sencha' }).click();

  await expect(page.getByTestId('total')).toHaveText('12.30 €');
});

test('counts the quantity in the total', async ({ page }) => {
  await page.getByRole('button', { name: 'Add Assam' }).click();
  await page.getByRole('spinbutton', { name: 'Quantity of Assam' }).fill('3');
  await page.getByRole('spinbutton', { name: 'Quantity of Assam' }).blur();

  await expect(page.getByTestId('total')).toHaveText('13.50 €');
});

test('forgets a tea that is removed', async ({ page }) => {
  await page.getByRole('button', { name: 'Add Darjeeling' }).click();
  await page.getByRole('button', { name: 'Remove Darjeeling' }).click();

  await expect(page.getByText('It is empty.')).toBeVisible();
});

test('is empty again after an order', async ({ page }) => {
  await page.getByRole('button', { name: 'Add Earl Grey' }).click();
  await page.getByRole('button', { name: 'Order' }).click();

  await expect(page.getByRole('status')).toHaveText('Thank you! Your tea is on its way.');
  await expect(page.getByText('It is empty.')).toBeVisible();
});
