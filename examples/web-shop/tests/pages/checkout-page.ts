import type { Locator, Page } from '@playwright/test';

export class CheckoutPage {
  readonly message: Locator;
  private readonly order: Locator;

  constructor(private readonly page: Page) {
    this.message = page.getByRole('status');
    this.order = page.locator('.btn-primary');
  }

  async open() {
    await this.page.goto('/checkout.html');
  }

  async subscribe() {
    await this.page.locator('#newsletter').check();
  }

  async placeOrder() {
    await this.order.click();
  }

  async changeStreet(street: string) {
    await this.page.locator('.edit-address').click();
    await this.page.getByLabel('Street').fill(street);
  }

  async payByCard(number: string) {
    await this.page.locator('#card-number').fill(number);
  }
}
