"""Pages to try selectors on, and the way to ask a real browser what it finds there."""

from playwright.sync_api import Page

SHOP = """<!doctype html>
<html lang="en"><head><title>Shop</title>
<style>.gone{display:none} .unseen{visibility:hidden} .flat{height:0}</style></head>
<body>
<header><nav aria-label="Main"><ul>
  <li class="item first"><a href="/home">Home</a></li>
  <li class="item"><a href="/cart" title="Your cart">Cart <b>(2)</b></a></li>
  <li class="item last"><a href="javascript:void(0)" lang="EN">Help</a></li>
</ul></nav></header>
<main id="main">
  <h1>Your   cart</h1>
  <h2 id="weird:id">Items</h2>
  <table id="cart"><caption>Cart</caption><thead><tr><th>Name</th><th>Price</th><th></th></tr></thead>
  <tbody>
    <tr data-id="1"><td>Red shoes</td><td>10</td><td><button class="btn remove">Remove</button></td></tr>
    <tr data-id="2"><td>Blue shoes</td><td>20</td><td><button class="btn remove" disabled>Remove</button></td></tr>
    <tr data-id="3"><td>Hat</td><td>5</td><td><button class="btn remove" aria-label="Remove hat">x</button></td></tr>
  </tbody></table>
  <form id="pay" action="/pay">
    <label for="mail">E-mail address</label>
    <input id="mail" type="email" name="mail" placeholder="you@example.com" required>
    <label>Card number <input name="card" data-testid="card"></label>
    <span id="l1">Coupon</span> <span id="l2">code</span><input name="coupon" aria-labelledby="l1 l2">
    <input type="checkbox" id="terms" checked><label for="terms">I <i>agree</i></label>
    <input type="radio" name="r" value="a"> <input type="radio" name="r" value="b" checked>
    <select name="country" aria-label="Country"><option>Norway</option><option selected>Peru</option></select>
    <textarea name="note" title="Note for us"></textarea>
    <input type="submit" value="Pay now">
    <button type="button" class="btn primary" data-testid="pay-later">Pay later</button>
    <button type="reset" aria-pressed="true">Clear</button>
  </form>
  <p>First <em>very</em> important. <span>Second</span></p>
  <p class="gone">Hidden words</p><p class="unseen">Unseen words</p><div class="flat"><span>Flat</span></div>
  <div><div><div>Deep text</div></div></div>
  <img alt="A red shoe" src="data:,"><svg width="10" height="10"><title>Star</title><circle r="4"></circle></svg>
  <details><summary>More</summary><p>Details text</p></details>
  <div role="tablist"><div role="tab" aria-selected="true">One</div><div role="tab">Two</div></div>
  <div aria-hidden="true"><button>Secret</button></div>
  <button aria-expanded="false">Menu</button>
  <section aria-label="Offers"><h2>Offers</h2><h3>Today</h3>
    <ul><li>Save 10</li><li>Save 20<ul><li>Save more</li></ul></li></ul></section>
  <div id="quote">It's "quoted"</div>
  <x-card id="card1"><span slot="t">In the light</span></x-card>
  <x-card id="card2"><span slot="t">Also light</span></x-card>
  <button id="after">Buy</button>
</main>
<footer><a href="/home">Home</a><script>window.x = "Home in a script"</script></footer>
<script>
  for (const host of document.querySelectorAll('x-card')) {
    const root = host.attachShadow({mode: 'open'});
    root.innerHTML = '<section class="shade"><slot name="t"></slot>' +
      '<button class="btn">Buy</button><x-inner></x-inner></section>';
    root.querySelector('x-inner').attachShadow({mode: 'open'}).innerHTML = '<a href="#deep" class="deep">Deep link</a>';
  }
</script>
<iframe id="frame-one" title="Payment" srcdoc="<!doctype html><h1>Inner</h1><button id='inner-pay'>Pay now</button>
  <iframe name='nested' srcdoc='<button>Nested</button>'></iframe>"></iframe>
<iframe class="ad" srcdoc="<button>Ad</button>"></iframe>
</body></html>"""

MARK = """(frame) => {
  let count = 0;
  const walk = (holder) => {
    for (const element of holder.children) {
      element.setAttribute('data-at', `${frame}-${count++}`);
      if (element.shadowRoot) walk(element.shadowRoot);
      walk(element);
    }
  };
  walk(document);
}"""


def marked(tab: Page, html: str) -> None:
    """Show a page, every element of which knows its place by an attribute of its own."""
    tab.set_content(html, wait_until="load")
    for place, frame in enumerate(tab.frames):
        frame.evaluate(MARK, place)


def found_by_browser(tab: Page, selector: str) -> list[str]:
    """The marks of the elements, as they come."""
    marks: list[str] = tab.locator(selector).evaluate_all("(all) => all.map((one) => one.getAttribute('data-at'))")
    return marks
