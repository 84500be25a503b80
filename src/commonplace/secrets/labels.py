"""What people call their secrets, in some fifteen languages: the words conversational rules start from.

All patterns read lower-cased text. Words of Chinese, Japanese and Korean stand apart, for no space follows them.
"""

from __future__ import annotations

from typing import Final


def _any(*alternatives: str) -> str:
    return "|".join(alternatives)


PASSWORD: Final = _any(
    r"pass[- ]?words?\b|passwds?\b|pass ?phrases?\b|\bpwd?\b|\bp/w\b|\bpsw\b",
    r"(?:wi-?fi|wlan|network|router|wpa[23]?|hotspot)[ -](?:key|code|clave)\b",
    r"passwort\b|passwörter\b|kennwort\b",
    r"mots? de passe\b|\bmdp\b",
    r"contrase(?:ñ|n)as?\b|\bclaves?\b",
    r"senhas?\b|palavras?[- ]passe\b",
    r"parola d'ordine\b|parola\b",
    r"wachtwoord(?:en)?\b",
    r"пароль|hasło\b|heslo\b|şifre\w*|lösenord\w*|passord\w*|adgangskode\w*|salasana\b|mật khẩu|kata sandi\b",
)
PASS: Final = r"\bpass\b"
PASS_OF_USER: Final = (
    r"\b(?:user(?:name)?|login|account|benutzer|usuario|usuário|utente|utilisateur|gebruiker)(?: is)?\s?[:=]?\s"
    r"[a-z_][\w.@+-]{1,63}\s?[,;/&]?\s?(?:and |with |und |y |e |et |en )?(?:the )?pass\b"
)
PASSCODE: Final = r"pass-?codes?\b"

TOKEN: Final = _any(
    r"api[ _-]?(?:keys?|tokens?|secrets?)\b",
    r"(?:access|auth|secret|private|bearer|refresh|signing|encryption|decryption|master|licen[cs]e|product|activation"
    r"|deploy|recovery|account|client|service|app|consumer|webhook|storage|bot|oauth|admin|root|wallet|shared|hmac"
    r"|personal access)[ _-](?:keys?|tokens?|secrets?)\b",
    r"(?:api|zugangs|geheim|lizenz|zugriffs)-?schlüssel\b|\bschlüssel\b",
    r"\bjetons?\b|clés? (?:d'|(?:de |pour )?l')?(?:api|accès|secrète|privée)",
    r"clave (?:(?:de|para) (?:la )?)?(?:api|acceso|secreta|privada)\b|llave (?:(?:de|para) (?:la )?)?(?:api|acceso)",
    r"chaves? (?:de |da |para a |pra )?(?:api|acesso|secreta|privada)\b",
    r"chiav[ei] (?:(?:per l|dell|d)'|per le |delle )?(?:api|segreta|privata|di accesso)\b",
    r"(?:api|geheime|toegangs)[- ]?sleutel\b",
    r"токен|ключ",
    r"(?:\b|_)tokens?\b|(?:\b|_)secrets?\b|\bcredentials?\b",  # last, so that 'secret key' is read as one
)
KEY: Final = r"\bkeys?\b"
KEY_TOLD: Final = r"\bkeys?(?:\s+(?:is|was|for)\b|\s*[:=])"

PIN: Final = r"\bpins?\b"
PIN_IN_FULL: Final = _any(
    r"\bpin[ -]?(?:codes?|numbers?|nummer|nr)\b|\b(?:my|our|his|her|their|bank|card|atm|sim|phone) pins?\b",
    r"\bcombination\b",
    r"(?:door|gate|alarm|garage|lock|lockbox|locker|safe|entry|access|security|unlock|keypad|building|sim|voicemail"
    r"|phone|vault|office|apartment|panel|disarm) (?:codes?|pins?|combinations?|combos?)\b",
    r"(?:codes?|combinations?|combos?|pins?) (?:for|to|of) (?:the |my |our |their )?(?:\w+ )?"
    r"(?:door|gate|alarm|garage|safe|lock|lockbox|building|office|house)\b",
    r"\bgeheimzahl\b|code für (?:die|das|den) \w*(?:tür|tor|alarm|garage|safe|tresor)\b",
    r"(?:tür|zugangs|alarm|tor|safe|deur|toegangs|poort|kluis)-?code\b",
    r"\bdigicode\b|code (?:pin|secret|d'accès|de la porte|du portail|de l'alarme|de l'immeuble|d'entrée|du coffre)\b",
    r"código (?:pin|de (?:la )?(?:puerta|alarma|acceso|entrada|portão|acesso|porta))\b",
    r"código (?:do (?:portão|alarme|cofre)|da (?:porta|entrada))\b",
    r"codice (?:pin|di accesso|del cancello|della porta|dell'allarme|della cassaforte|segreto)\b",
)
CARD_CODE: Final = r"\bcv[vc]2?\b"
ONE_TIME_CODE: Final = _any(
    r"(?:verification|one[- ]time|confirmation|2fa|mfa|two[- ]factor|authenticator|backup|recovery|login|sms|otp)"
    r" (?:pass)?codes?\b|\botp\b",
    r"bestätigungscode\b|code de (?:vérification|confirmation|secours|récupération)\b",
    r"código de (?:verificación|verificação|recuperación|recuperação)\b",
    r"codice di (?:verifica|recupero)\b|verificatiecode\b",
)
LOGIN: Final = _any(
    r"\blog-?ins?\b|\blog(?:ged)? in\b|\bsign(?:ed)? in\b|\bcred(?:ential)?s\b",
    r"usernames? (?:and|&|/) pass(?:word)?s?\b",
    r"zugangsdaten\b|anmeldedaten\b|identifiants?\b|credenciales\b|credenciais\b|credenziali\b|inloggegevens\b",
)
CJK_PASSWORD: Final = _any(
    "密码|密碼|口令|pin码|门禁码",
    "パスワード|パスコード|暗証番号|暗証コード|合言葉",
    "비밀 ?번호|비번|암호|패스워드|핀 ?번호",
)
CJK_TOKEN: Final = _any(
    "密钥|密鑰|秘钥|金鑰|令牌",
    "api ?キー|アクセスキー|シークレットキー?|トークン|秘密鍵",
    "api ?키|토큰|시크릿 ?키?|비밀 ?키|액세스 ?키",
)
CJK_ONE_TIME_CODE: Final = "验证码|驗證碼|認証コード|確認コード|인증 ?(?:번호|코드)"

COPULAS: Final = _any(
    r"is|was|are|were|will be|would be|should be|has been|became|becomes|being|of|equals|reads",
    r"ist|war|lautet|lauten|sind|heißt|heisst",
    r"est|était|sera|sont|c'est",
    r"es|era|será|son|é|foi|são|è|sono",
    r"luidt|wordt|är|er|это",
)
ADVERBS: Final = _any(
    r"now|still|currently|actually|just|simply|literally|always|probably|this|the following|as follows",
    r"set to|changed to|reset to|updated to|going to be",
    r"jetzt|noch|aktuell|nun|folgendes|maintenant|toujours|actuellement|le suivant",
    r"ahora|todavía|actualmente|el siguiente|agora|ainda|atualmente|adesso|ora|ancora|nu|momenteel",
)
CHANGE_TO: Final = r"to|into|auf|zu|in|à|en|a|para|naar"
CHANGE_VERBS: Final = (
    r"\b(?:set|chang|reset|updat|switch|made|make|änder|geänder|setz|modifi|mett|mis |cambi|establec|pus|mud|alter"
    r"|wijzig|verander)"
)
# Words that may stand between the name of a secret and 'is': the password for the router is …
PREPOSITIONS: Final = _any(
    r"for|to|of|on|in|at|from|into|here|we|you|i|that|which|inside|behind|wifi|wi-fi|wlan",
    r"für|fürs|zum|zur|von|vom|am|im|beim|des|der|unseres|unserer|meines|meiner|habe|wurde",
    r"pour|du|de|des|sur|chez|d|que",
    r"del|para|en|do|da|dos|no|na|della|dello|dell|nell|di|per|che",
    r"voor|van|op|dat|от|для",
)
DETERMINERS: Final = _any(
    r"the|my|our|your|his|her|their|its|this|that|a",
    r"das|mein|unser|dein|euer|le|mon|notre|ton|votre|la|ma",
    r"mi|nuestra|tu|su|minha|nossa|sua|o|il|mia|nostra|tua|het|mijn|ons|je|de",
)
CLAUSE_OPENERS: Final = (
    r"and|but|for|on|in|at|if|when|which|so|to|und|aber|et|mais|y|pero|e|ma|en|maar|por|para|pour|für|voor|per"
)
