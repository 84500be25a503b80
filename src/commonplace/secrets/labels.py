"""What people call their secrets, in fifteen languages: the words conversational rules start from.

All patterns read lower-cased text. Words of Chinese, Japanese and Korean stand apart, for no space follows them.
"""

from __future__ import annotations

from typing import Final

PASSWORD: Final = (
    r"pass-?words?\b|pass word\b|passwds?\b|pass ?phrases?\b|\w*passwor(?:t|d)\b|passwörter\b|kennwort\b"
    r"|mots? de passe\b|\bmdp\b|contrase(?:ñ|Ñ|n)as?\b|\bclaves?\b|senhas?\b|palavras?[- ]passe\b|parola d'ordine\b"
    r"|wachtwoord(?:en)?\b|\bpwd?\b|\bpsw\b|\bpass\b|(?:wi-?fi|wlan|network|router|wpa[23]?|hotspot)[ -](?:key|code|clave)\b"
    r"|пароль|hasło\b|şifre\w*|parola\b|lösenord\w*|passord\w*|adgangskode\w*|heslo\b|salasana\b|mật khẩu|kata sandi\b"
)
TOKEN: Final = (
    r"api[ _-]?(?:keys?|tokens?|secrets?)\b"
    r"|(?:access|auth|secret|private|bearer|refresh|signing|encryption|decryption|master|licen[cs]e|product|activation|deploy"
    r"|recovery|account|client|service|app|consumer|webhook|storage|bot|oauth|admin|root|wallet|shared|hmac|personal access)"
    r"[ -](?:keys?|tokens?|secrets?)\b"
    r"|\btokens?\b|\bsecrets?\b|\bapikeys?\b|\bcredentials?\b"
    r"|(?:api|zugangs|geheim|lizenz|zugriffs)-?schlüssel\b|\bschlüssel\b|\bjetons?\b|clés? (?:d'|de l'|l')?(?:api|accès|secrète|privée)"
    r"|clave (?:de (?:la )?)?(?:api|acceso|secreta|privada)\b|llave (?:de )?(?:api|acceso)|chaves? (?:de |da )?(?:api|acesso|secreta|privada)\b"
    r"|chiavi?e? (?:api|segreta|privata|di accesso)\b|(?:api|geheime|toegangs)[- ]?sleutel\b|токен|ключ"
)
PASSCODE: Final = r"pass-?codes?\b"
PIN: Final = r"\bpins?\b"
PIN_IN_FULL: Final = (
    r"\bpin[ -]?(?:codes?|numbers?|nummer|nr)\b|\b(?:my|our|his|her|their|bank|card|atm|sim|phone) pins?\b|\bgeheimzahl\b|\bdigicode\b"
    r"|(?:door|gate|alarm|garage|lock|lockbox|locker|safe|entry|access|security|unlock|keypad|building|sim|voicemail|phone|vault"
    r"|office|apartment|front door|panel|disarm) (?:codes?|pins?|combinations?|combos?)\b"
    r"|(?:tür|zugangs|alarm|tor|safe|deur|toegangs|poort|kluis)-?code\b"
    r"|code (?:pin|secret|d'accès|de la porte|du portail|de l'alarme|de l'immeuble|d'entrée|du coffre)\b"
    r"|código (?:pin|de (?:la )?(?:puerta|alarma|acceso|entrada|portão|acesso|porta)|do (?:portão|alarme|cofre)|da (?:porta|entrada))\b"
    r"|codice (?:pin|di accesso|del cancello|della porta|dell'allarme|della cassaforte|segreto)\b"
)
CARD_CODE: Final = r"\bcv[vc]2?\b"
ONE_TIME_CODE: Final = (
    r"(?:verification|one[- ]time|confirmation|2fa|mfa|two[- ]factor|authenticator|backup|recovery|login|sms|otp) (?:pass)?codes?\b"
    r"|\botp\b|bestätigungscode\b|code de (?:vérification|confirmation|secours|récupération)\b"
    r"|código de (?:verificación|verificação|recuperación|recuperação)\b|codice di (?:verifica|recupero)\b|verificatiecode\b"
)
LOGIN: Final = (
    r"\blog-?ins?\b|\blog(?:ged)? in\b|\bsign(?:ed)? in\b|\bcred(?:ential)?s\b|zugangsdaten\b|anmeldedaten\b|identifiants?\b|credenciales\b"
    r"|credenciais\b|credenziali\b|inloggegevens\b|usernames? (?:and|&|/) pass(?:word)?s?\b"
)
CJK_PASSWORD: Final = r"密码|密碼|口令|パスワード|暗証番号|パスコード|合言葉|비밀 ?번호|비번|암호|패스워드|핀 ?번호|pin码|门禁码|暗証コード"
CJK_TOKEN: Final = r"密钥|密鑰|秘钥|金鑰|令牌|api ?キー|アクセスキー|シークレットキー?|トークン|秘密鍵|api ?키|토큰|시크릿 ?키?|비밀 ?키|액세스 ?키|키는|验证码|驗證碼|認証コード|인증 ?(?:번호|코드)"

COPULAS: Final = (
    r"is|was|are|were|will be|would be|should be|has been|became|becomes|being|of|equals|reads|'s"
    r"|ist|war|lautet|lauten|sind|est|était|sera|sont|c'est|es|era|será|son|é|è|foi|são|sono|luidt|wordt|är|er|это"
)
ADVERBS: Final = (
    r"now|still|currently|actually|just|simply|literally|always|probably|set to|changed to|reset to|updated to|going to be"
    r"|jetzt|noch|aktuell|nun|maintenant|toujours|actuellement|ahora|todavía|actualmente|agora|ainda|atualmente|adesso|ora|ancora"
    r"|nu|momenteel|this|the following|as follows|folgendes|le suivant|el siguiente"
)
CHANGE_TO: Final = r"to|into|auf|zu|in|à|en|a|para|naar"
CHANGE_VERBS: Final = (
    r"\b(?:set|chang|reset|updat|switch|made|make|cambi|mud|alter|änder|geänder|setz|modifi|mett|wijzig|verander|mis |pus|establec)"
)
PREPOSITIONS: Final = (
    r"for|to|of|on|in|at|from|into|here|we|you|i|that|which|inside|behind|für|zum|zur|von|vom|am|im|des|der|unseres|meines|pour"
    r"|du|de|des|de la|sur|chez|d'|del|para|en|do|da|dos|no|na|della|dello|di|per|voor|van|op"
)
DETERMINERS: Final = (
    r"the|my|our|your|his|her|their|its|this|that|a|das|mein|unser|dein|euer|le|mon|notre|ton|votre|la|ma|mi|nuestra|tu|su|minha"
    r"|nossa|sua|o|il|mia|nostra|tua|het|mijn|ons|je|de"
)
CLAUSE_OPENERS: Final = r"and|but|for|on|in|at|if|when|which|so|to|und|aber|et|mais|y|pero|e|ma|en|maar|por|para|pour|für|voor|per"
