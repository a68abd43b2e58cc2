"""Everyday lines of the web's life without any secret. They must come out as they went in."""

LINES = r"""
GET /api/products?page=2&sort=price HTTP/1.1
https://app.test/search?q=red+shoes&state=open&code=US
https://app.test/assets/main.4f3a2b1c9d8e.js
https://cdn.app.test/static/js/vendors~main.8a7b6c5d4e3f2a1b0c9d.chunk.js
https://app.test/orders/3fa85f64-5717-4562-b3fc-2c963f66afa6/items
commit 9fceb02d0ae598e95dc970b74767f19372d61af8 (HEAD -> main)
2026-01-05T10:11:12.345Z INFO server started on port 3000
{"id": 1706520600000, "name": "Ann", "email": "ann@example.com"}
{"password": "Password", "forgotPassword": "Forgot your password?"}
{"errors": {"password": ["is too short", "must contain a number"]}}
{"hasPassword": true, "passwordMinLength": 8, "tokenType": "Bearer", "expires_in": 3600}
{"usage": {"prompt_tokens": 1204, "completion_tokens": 350, "total_tokens": 1554}}
{"key": "ArrowDown", "code": "ArrowDown", "ctrlKey": false}
{"status": 404, "code": "NOT_FOUND", "message": "Product not found"}
{"session": "morning", "track": "keynote", "room": 12}
<input type="password" name="password" placeholder="Password" autocomplete="current-password">
<label for="password">Password</label>
<button type="submit" class="css-1q2w3e4r btn btn-primary">Sign in</button>
<div class="sc-bdVaJa kZnQtX MuiBox-root css-0">Hello</div>
<script src="/app.js" integrity="sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8KuxyZkJh1kL0y0pYkP6wK9g5y2K4l5p7Z"></script>
<img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGA">
TypeError: Cannot read properties of null (reading 'token')
    at loadProfile (https://app.test/assets/index-BqF3kX9z.js:14:71)
Error: password is required
Error: Invalid token
Error: Token expired at 2026-01-05T10:00:00Z
Unexpected token '<', "<!DOCTYPE "... is not valid JSON
SyntaxError: Unexpected token } in JSON at position 42
const token = getToken();
const password = document.getElementById('password').value;
password: e.target.value,
token: string;
let secret: string | null = null;
apiKey: process.env.API_KEY,
password: os.environ["PASSWORD"]
headers: { Authorization: `Bearer ${token}` }
Authorization: Bearer <token>
Authorization: Bearer ${TOKEN}
The bearer token is missing.
Basic authentication is disabled
Please enter your password to continue.
Passwords must be at least 8 characters long.
Your session has expired. Please sign in again.
await page.getByLabel('Password').fill(process.env.PASSWORD ?? '');
await expect(page.getByRole('button', { name: 'Show password' })).toBeVisible();
await page.getByTestId('submit-button').click();
page.get_by_label("Card type").select_option("visa")
- textbox "Email": ann@example.com
- textbox "Search": red shoes
- textbox "Password"
- button "Forgot password?"
- link "Reset password":
- checkbox "Show password" [checked]
- heading "Change your password" [level=2]
localStorage.setItem('theme', 'dark');
localStorage.getItem("token")
sessionStorage.removeItem('access_token');
document.cookie.split(';')
Set the cookie banner to hidden
import { useToken } from './hooks/useToken';
export function validatePassword(password) {
if (password.length < 8) return 'too short';
if (key === 'Enter') submit();
for (const [key, value] of Object.entries(data)) {
switch (event.key) { case "Escape": close(); }
.password-field { color: #333; margin: 0 auto; }
input[type="password"]:focus { outline: 2px solid #0af; }
--color-token-primary: #1a73e8;
@media (min-width: 768px) { .token { display: none } }
ETag: "33a64df551425fcc55e4d42a148795d9f25f89d4"
Cache-Control: public, max-age=31536000, immutable
Content-Type: application/json; charset=utf-8
X-Request-Id: 7b3f1c9e-2d4a-4e6b-8f10-1a2b3c4d5e6f
Accept-Language: en-US,en;q=0.9,de;q=0.8
User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36
Content-Length: 4096
traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
order 4000123412341235 shipped to Berlin
phone +49 30 901820, fax 030-1234567
invoice 2026-000123 over 1,299.00 EUR
12 items in cart, total $1,299.00
version 1.2.3-beta.4+build.20260105
v18.19.0
sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
npm install --save-dev @playwright/test@1.48.0
docker run -p 8080:80 nginx:1.25
psql -h localhost -U app -d shop
git clone https://github.com/example/project.git
curl -s https://app.test/health -H 'Accept: application/json'
PORT=3000
NODE_ENV=production
LOG_LEVEL=debug
DATABASE_URL=postgres://localhost:5432/shop
TOKEN_TTL=3600
PASSWORD_MIN_LENGTH=12
REACT_APP_API_URL=https://api.app.test/v1
user: ann
keyboard: qwerty
monkey: banana
author: Ann Smith
authenticated: true
compass: north
bypass: enabled
"secretary": "Ann Smith"
"keywords": ["token", "auth", "session"]
"translation": {"password": "Passwort", "token": "Zugangscode"}
tokens: 150 used of 4000
Session started: 5 events
session: cap_20260105T101112_7f3a
state: pending
code: 200
error code: ECONNREFUSED
country_code=DE&postal_code=10115
promo code: SUMMER
PIN the message to the top
pin: map-marker
Zip code 10115
keydown Enter
The secret of good coffee is fresh water.
Secret Garden, by Frances Hodgson Burnett
{"type":"subscribe","channel":"prices","symbols":["AAPL","MSFT"]}
{"jsonrpc":"2.0","id":7,"method":"getProfile","params":{"userId":42}}
query GetProfile($id: ID!) { profile(id: $id) { name email } }
{"operationName":"GetProfile","variables":{"id":"42"}}
Failed to load resource: the server responded with a status of 401 (Unauthorized)
Warning: Each child in a list should have a unique "key" prop.
webpack compiled successfully in 1234 ms
[HMR] Waiting for update signal from WDS...
GET https://app.test/api/password-policy 200 in 12 ms
POST /api/auth/login 401 Unauthorized
/reset-password/confirm
https://app.test/reset-password?lang=en
https://app.test/docs/getting-started-with-the-new-authentication-flow-in-version-2
getElementsByClassNameAndAttributeValueForTestingOnly
__WEBPACK_IMPORTED_MODULE_12__react_router_dom_default
AAAA,SAASA,GAAGC,QAAQC,KAAKC,MAAMC,UAAUC,OAAOC,SAASC
M12.5 3.2c-4.7 0-8.5 3.8-8.5 8.5s3.8 8.5 8.5 8.5 8.5-3.8 8.5-8.5z
rgba(12, 34, 56, 0.78) 0 1px 3px, #abcdef 0 0 4px
ISBN 978-3-16-148410-0
lat=52.520008&lng=13.404954&zoom=12
_ga=GA1.2.1234567890.1706520600
utm_source=newsletter&utm_medium=email&utm_campaign=spring_sale_2026
SGVsbG8gd29ybGQsIHRoaXMgaXMganVzdCBhIHRleHQu
5f8d0d55b54764421b7156d9
01ARZ3NDEKTSV4RRFFQ69G5FAV
cus_NffrFeUfNV2Hib
radix-:r1a:-trigger-overview
expect(received).toBe(expected) // Object.is equality
Expected: 3
Received: "Sign in"
Timeout 30000ms exceeded while waiting for locator('#password')
waiting for getByLabel('Password')
""".strip("\n").splitlines()

# Written after the rules.
LATER = r"""
const { data: session } = useSession();
export const selectAuthToken = (state) => state.auth.token;
dispatch({ type: 'auth/setToken', payload: response.data.token });
if (!token) throw new Error('No token provided');
res.status(401).json({ error: 'Invalid credentials' });
<PasswordInput label="Password" value={password} onChange={setPassword} />
<input id="pin" type="tel" maxlength="4" placeholder="4-digit PIN">
<a href="/account/forgot-password">Forgot password?</a>
<h2 class="token__title">Token balance</h2>
<svg viewBox="0 0 24 24"><path d="M4 6h16v2H4zm0 5h16v2H4z"/></svg>
{"id":"evt_1","type":"session.created","created":1706520600}
{"user":{"id":"5f8d0d55b54764421b7156d9","name":"Ann","role":"admin"}}
{"cursor":"page-2","hasMore":true,"items":[{"sku":"A-100","qty":3}]}
{"csrf":false,"secure":true,"sameSite":"Lax"}
{"validation":{"password":{"minLength":8,"pattern":"^[A-Za-z0-9]+$"}}}
{"labels":{"apiKey":"API key","secret":"Shared secret","pin":"PIN"}}
{"card":{"brand":"visa","last4":"4242","exp_month":12,"exp_year":2030}}
{"country":"DE","currency":"EUR","zip":"10115","phone":"+49301234567"}
{"token_symbol":"ETH","token_price":2301.55,"tokens":12}
{"authProvider":"google","authMode":"popup","keyId":"main"}
https://app.test/login?next=%2Faccount%2Forders&lang=de
https://app.test/users/42/sessions?limit=20&sort=-created
https://app.test/invite?campaign=spring
https://app.test/#/settings/security/password
https://app.test/share/summer-sale-2026
https://fonts.app.test/css2?family=Inter:wght@400;600&display=swap
wss://app.test/socket.io/?EIO=4&transport=websocket
GET /static/media/logo.6ce24c58023cc2f8fd88fe9d219db6c6.svg 200
GET /api/tokens/eth/price 304
PUT /api/users/42/password 204
Vary: Origin, Authorization, Cookie
Access-Control-Allow-Headers: Authorization, X-CSRF-Token, Content-Type
WWW-Authenticate: Bearer realm="app", error="invalid_token"
Strict-Transport-Security: max-age=63072000; includeSubDomains; preload
Content-Disposition: attachment; filename="report-2026-01-05.pdf"
Last-Modified: Mon, 05 Jan 2026 10:11:12 GMT
Sec-CH-UA: "Chromium";v="120", "Not A Brand";v="99"
[vite] connected.
Download the React DevTools for a better development experience
Access to fetch at 'https://api.test/me' from origin 'https://app.test' has been blocked by CORS policy
Uncaught (in promise) Error: Session not found
ReferenceError: authToken is not defined
    at async Promise.all (index 0)
    at Object.authenticate (webpack-internal:///./src/auth/session.ts:88:13)
ChunkLoadError: Loading chunk 7 failed. (https://app.test/static/js/7.3d4f5a6b.chunk.js)
Locator: getByLabel('Password')
Expected: visible
Received: hidden
  - waiting for getByRole('textbox', { name: 'Password' })
  - locator resolved to <input type="password" id="password" name="password"/>
- textbox "Password" [active]
- textbox "Verification code":
- combobox "Card type": Visa
- text: Your password was changed.
- alert: Wrong user name or password
def test_password_is_required(page):
assert response.json()["token"] is not None
token = response.json()["token"]
SECRET_KEY = os.environ["SECRET_KEY"]
password = getpass.getpass("Password: ")
export API_KEY=$(cat key.txt)
API_TOKEN=${API_TOKEN:-}
AUTH_ENABLED=true
SESSION_TIMEOUT=1800
KEYCLOAK_URL=http://localhost:8080
echo "enter the password:"
kubectl get secret app-tls -o yaml
docker compose up -d
pip install -r requirements.txt
ssh-keygen -t ed25519 -C "ann@example.com"
The passkey prompt did not appear.
Keys: up, down, left, right
Key features: fast, small, free
Access code of conduct at https://app.test/conduct
Pass 12 of 15 checks
author_session_count: 14
monkeypatch.setenv("HOME", str(tmp_path))
sort key: created_at, descending
primary key: id
foreign key (user_id) references users (id)
CREATE TABLE sessions (id uuid PRIMARY KEY, token text NOT NULL);
SELECT id, password_hash FROM users WHERE email = $1;
9b74c9897bac770ffc029102a200c5de  archive.tar.gz
resolved "https://registry.test/left-pad/-/left-pad-1.3.0.tgz#5b8a3a7765dfe001261dde915589e782f8c94d1e"
"integrity": "sha512-XI5MPzVNApjAyhQzphX8BkmKsKUxD4LdyK24iZeQGinBN9yTQT3bFlCBy/aVx2HrNcqQGsdot8ghrjyrvMCoEA=="
color: var(--token-color, #0055aa);
.btn--primary:hover > .icon_key::before { content: "\e900"; }
@keyframes spin { from { transform: rotate(0) } to { transform: rotate(360deg) } }
1706520600000 1706520660000 1706520720000
52.5200 N, 13.4050 E
urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6
ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz
abcdefghijklmnopqrstuvwxyz0123456789
""".strip("\n").splitlines()
