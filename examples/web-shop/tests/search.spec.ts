import { expect, test } from '@playwright/test';

test('search finds teas by a part of their name', async ({ page }) => {
  await page.goto('/');
  const teas = page.getByRole('region', { name: 'Our teas' }).getByRole('listitem');

  await page.getByRole('searchbox', { name: 'Search' }).fill('sen');
  await expect(teas).toHaveText([/Sencha/]);

  await page.getByRole('searchbox', { name: 'Search' }).fill('coffee');
  await expect(teas).toHaveCount(0);
  await expect(page.getByText('No tea of that name.')).toBeVisible();
});
