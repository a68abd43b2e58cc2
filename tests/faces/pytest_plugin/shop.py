"""A shop of one page, for suites that run with the plugin."""

CONFTEST = """
import os
from pathlib import Path
import pytest

@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    return {**browser_type_launch_args, "executable_path": os.environ["CHROMIUM"]}

@pytest.fixture
def shop(page):
    page.goto((Path(__file__).parent / "shop.html").as_uri())
    return page
"""
SHOP = """<!doctype html><title>Shop</title><main><h1>Shop</h1>
<form onsubmit="document.querySelector('#said').textContent = 'Paid'; return false">
<label for="who">Name</label> <input id="who" name="who">
<button id="pay-button" class="primary" name="pay" type="submit">Pay now</button></form><p id="said"></p>
<a href="/help">Help</a></main>
"""
