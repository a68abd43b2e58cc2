"""The checkout as its users see it."""


class CheckoutPage:
    def __init__(self, page):
        self.page = page
        self.message = page.get_by_role("status")
        self._order = page.locator(".btn-primary")

    def open(self):
        self.page.goto("/checkout.html")

    def subscribe(self):
        self.page.locator("#newsletter").check()

    def place_order(self):
        self._order.click()

    def change_street(self, street):
        self.page.locator(".edit-address").click()
        self.page.get_by_label("Street").fill(street)

    def pay_by_card(self, number):
        self.page.locator("#card-number").fill(number)
