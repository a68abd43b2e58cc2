"""The words that tell secrets from everything else: in names, in values, in several languages."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# --- names ------------------------------------------------------------------------------------------

# Anywhere in a name, they make it a password's.
PASSWORDS = _words(
    """
    password passwd passwort passphrase passcode kennwort passord wachtwoord losenord adgangskode salasana
    contrasena contrasinal motdepasse palavrapasse katasandi jelszo lozinka slaptazodis geheimwort losungswort
    пароль гасло лозинка κωδικοσ סיסמה סיסמא 密码 密碼 口令 パスワード 暗証番号 비밀번호 비번 รหัสผ่าน पासवर्ड
    كلمةالمرور كلمةالسر matkhau
    """
)

# The same, but only as words of their own.
PASSWORD_WORDS = _words("pwd pw psw pswd passwrd mdp senha haslo heslo sifre parola clave parol wachtwort")

# Anywhere in a name: a token's or a key's.
TOKENS = _words(
    """
    accesstoken refreshtoken idtoken authtoken sessiontoken csrftoken xsrftoken bearertoken apitoken apikey
    apisecret apisecretkey clientsecret appsecret secretkey privatekey accesskey signingkey encryptionkey
    masterkey sharedkey sessionid sessid sessionkey sessioncookie authkey authorization authenticitytoken
    requestverificationtoken connectsid seedphrase recoveryphrase secretaccesskey accountkey subscriptionkey
    licensekey licencekey deploykey storagekey servicekey securitytoken schluesselwort geheimnis
    zugangsschluessel zugriffstoken jeton
    """
)

# The same, but only as words of their own.
TOKEN_WORDS = _words(
    """
    token secret jwt bearer credential credentials sid csrf xsrf signature sig hmac mnemonic passkey pass
    apikeys auth_token sas xsession oauth tokens secrets cookie секрет токен 令牌 トークン 토큰
    """
)

# Anywhere in a name: of a card, an account, a code that was sent to somebody.
NUMBERS = _words(
    """
    cardnumber creditcard cardno ccnumber cardnr kartennummer kreditkarte numerodecarte numerodetarjeta
    numerodecartao numerocarta kortnummer kaartnummer accountnumber kontonummer bankaccount socialsecurity
    sozialversicherung securitycode sicherheitscode prufnummer prufziffer verificationcode onetimecode
    onetimepassword einmalcode einmalpasswort bestatigungscode codedeverification codigodeverificacion
    codicediverifica pincode geheimzahl codesecret codigodeseguridad recoverycode backupcode authcode mfacode
    smscode logincode accesscode activationcode passwordcode resetcode confirmationcode authenticationcode
    securitypin cardverification номеркарты кодподтверждения пинкод 验证码 認証コード 인증번호 카드번호 カード番号 卡号
    """
)

# The same, but only as words of their own.
NUMBER_WORDS = _words("pin otp totp hotp cvv cvv2 cvc cvc2 csc ssn iban tan nif dni bsn aadhaar mfa 2fa pan")

# At the end of a name: a secret if the value looks random.
DOUBTFUL_WORDS = _words(
    """
    key keys code auth session sess nonce state verifier challenge salt seed ticket grant assertion otc
    invite invitation samlresponse cookies license licence credentialid schlussel cle llave
    """
)

# At the end of a name: it speaks about a secret, and its value is none.
ABOUT = _words(
    """
    count counts length len min max policy hint hints label placeholder error errors help type types name names
    field input url uri link href path expires expiry expiration expired expire in at on date age ttl time
    timeout enabled disabled required visible strength reset forgot forgotten changed valid invalid text title
    message messages rule rules limit limits usage used budget rate status mode format version algorithm alg
    size position index button form page screen view component toggle show hide visibility complexity manager
    provider store service handler endpoint issuer scope scopes audience exists present ok attempts tries
    remaining last4 brand country icon class selector color colour style theme prefix suffix schema description
    desc info list table column row tab section step plugin module package locale updated created event events
    listener callback fn func method ref props options option config settings setting env var variable char
    chars character characters match mismatch loaded copied saved sent found missing missmatch domain samesite
    secure httponly cost price symbol supply balance address contract contracts usd eur per total totals weight
    weights family width height
    """
)

# At the end of a field's own name: it says that there is a field, and nothing about the value.
FIELD_WORDS = _words("field input textbox textfield text box control el element edit entry inp feld champ campo")

# The same at its beginning.
ABOUT_BEFORE = _words(
    """
    is has have had show shows hide toggle forgot forget forgotten lost max min num number total count no
    requires require needs need validate on handle without search find filter can should must invalid wrong
    missing about sort order supports support public publishable
    """
)


# Before `token`: it says where a list goes on.
PAGING = _words("page next prev previous continuation sync")

# Before `tokens`: those of a language model, which are counted.
COUNTED = _words("prompt completion input output total used cached reasoning context remaining audio accepted rejected")


# --- values -----------------------------------------------------------------------------------------

# What stands beside a secret's name without being one.
NO_SECRETS = _words(
    """
    true false null none nil undefined nan yes no on off ok required optional missing invalid valid expired
    empty string str text number boolean bool object function any unknown bytes int integer float hidden visible
    enabled disabled default password passwords passwort token tokens secret secrets key keys bearer basic
    digest apikey username user email name value values type id this self let const var return void never field
    input label error errors success failed failure revoked refreshed changed updated created deleted loaded
    reset set unset present absent mismatch incorrect wrong correct weak medium strong short long same-origin
    include omit session cookie cookies jwt oauth oauth2 auth authorization authentication bytearray uuid hash
    sha256 hmac rsa pem base64 utf-8 text/plain current-password new-password one-time-code off-screen redacted
    masked
    """
)

# A text with one of these is for people to read.
SENTENCE_WORDS = _words(
    """
    a an the your you is are be been was at must not do does did to for enter with of and or please in has have
    this that it its it's my our least than can cannot can't will should need needs required choose confirm
    repeat forgot forgotten show hide change update reset ihr dein das der die ist muss mindestens bitte le la
    votre mot de el su tu il on by from as if no more again new
    """
)

# As passwords they are masked in their own place only: they are everywhere.
COMMON = _words(
    """
    123456 1234567 12345678 123456789 1234567890 000000 0000000 00000000 111111 11111111 121212 123123 654321
    password password1 passwort admin admin1 admin123 administrator root test test1 test123 testing tester demo
    demo123 guest user user1 user123 username secret token default example sample changeme change-me welcome
    welcome1 letmein qwerty qwerty1 abc123 monkey dragon login signin submit cancel search button select option
    checkout customer account profile settings dashboard product products category standard premium enabled
    disabled required optional undefined function returned response request session anonymous redacted
    [redacted] localhost application development production staging english deutsch loading complete completed
    pending success failure unknown authenticated authorized unauthorized bearer basic digest dark-mode
    lightmode darkmode none null
    """
)


# --- places -----------------------------------------------------------------------------------------

# What a server says about a cookie.
COOKIE_FACTS = _words("path domain expires max-age samesite secure httponly priority partitioned")

# Keys of JSON under which there are texts for people.
TEXT_KEYS = _words(
    """
    error errors message messages label labels placeholder placeholders i18n translation translations locale
    locales validation schema properties description hint hints texts strings rules
    """
)

# Doubtful names that are none in an address.
QUERY_NAMES = _words("code sig signature key auth session sess sid ticket assertion samlresponse otc")

# Types of fields that nobody types a text into.
NO_TEXT = _words("checkbox radio button submit reset image range color date time month week file")

# Names whose value may follow after a space.
SPACED = _words("password passwd passwort kennwort passcode ssn pin otp cvv cvc iban pwd")

# Headers whose values are random and no secrets.
RANDOM_HEADERS = _words(
    """
    etag if-none-match if-match content-md5 digest repr-digest content-digest idempotency-key sec-websocket-key
    sec-websocket-accept surrogate-key x-request-id x-correlation-id traceparent tracestate cf-ray x-amz-cf-id
    x-amz-request-id x-amz-id-2 nel report-to user-agent content-security-policy x-cache-key
    content-security-policy-report-only
    """
)

# Headers whose value is an address.
ADDRESS_HEADERS = _words(
    "location referer referrer content-location :path x-original-url x-rewrite-url origin sourcemap"
)

# Headers whose value is a scheme and credentials.
CREDENTIAL_HEADERS = _words("authorization proxy-authorization x-authorization x-forwarded-authorization")

# In the name of a cookie: it may be a session's.
SESSION_COOKIES = _words("sess auth token sid jwt csrf xsrf remember login secret identity sso")
