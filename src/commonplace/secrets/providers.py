"""Token formats that providers publish: a fixed prefix or shape makes each of them recognisable on its own.

Lengths are lower bounds a little under the published ones, since providers lengthen tokens more often than they
change prefixes. Keywords are read in the lower-cased text, patterns in the text as written. A keyword that counts
characters starts at a word boundary: free counters make the keyword set's automaton large and slow.
"""

from __future__ import annotations

import hashlib
from typing import Final

from commonplace.secrets.detector import Detector, by_pattern
from commonplace.secrets.values import is_blanked, is_random

# kind, keyword (lower case), pattern
_RULES: Final = (
    # Our own: who may use a book over the network
    ("commonplace_token", r"\bcp_", r"\bcp_[0-9a-f]{12}_[\w-]{40,43}"),
    # Code hosting, packages, continuous integration
    ("github_token", r"gh[pousr]_|github_pat_", r"\b(?:gh[pousr]_[A-Za-z0-9_.-]{20,}|github_pat_\w{22,})"),
    (
        "gitlab_token",
        r"\bgl[a-z]{2,6}-|gr1348941",
        r"\b(?:gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat|ffct|wt|oas)-[\w.-]{20,}|GR1348941[\w-]{20,})",
    ),
    ("bitbucket_token", r"\batbb", r"\bATBB[A-Za-z0-9]{24,}"),
    ("npm_token", r"npm_", r"\bnpm_[A-Za-z0-9]{30,}"),
    ("pypi_token", r"pypi-", r"\bpypi-(?:AgEI|AgEN)[\w-]{50,}"),
    ("rubygems_token", r"rubygems_", r"\brubygems_[0-9a-f]{40,}"),
    ("crates_token", r"\bcio", r"\bcio[A-Za-z0-9]{32}\b"),
    ("nuget_token", r"\boy2", r"\boy2[a-z0-9]{43}\b"),
    ("clojars_token", r"clojars_", r"\bCLOJARS_[a-z0-9]{50,}"),
    ("docker_token", r"dckr_", r"\bdckr_(?:pat|oat)_[\w-]{20,}"),
    ("deno_token", r"\bdd[pw]_", r"\bdd[pw]_[A-Za-z0-9]{30,}"),
    ("circleci_token", r"ccip", r"\bCCIP(?:AT|RJ)_[A-Za-z0-9]{16,}_[0-9a-f]{32,}"),
    ("buildkite_token", r"\bbk[a-z]{2}_", r"\bbk(?:ua|ct|at)_[0-9a-f]{32,}"),
    ("sonar_token", r"\bsq[apu]_", r"\bsq[apu]_[0-9a-f]{40}"),
    (
        "sourcegraph_token",
        r"\bsg[dp]_|\bsgph_|\bslk_|\bsgamp_",
        r"\b(?:sgph?_(?:[0-9A-Fa-f]{16}_|local_)?[0-9A-Fa-f]{32,}|s(?:gd|lk)_[0-9A-Fa-f]{32,}|sgamp_user_\w{40,})",
    ),
    ("octopus_token", r"\bapi-", r"\bAPI-[A-Z0-9]{25,}\b"),
    ("artifactory_token", r"akcp|cmvmdgtu", r"\b(?:AKCp[A-Za-z0-9]{60,}|cmVmdGtuOj[A-Za-z0-9+/=]{40,})"),
    ("harness_token", r"\b[ps]at\.", r"\b[ps]at\.[\w-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}\b"),
    ("postman_token", r"pmak-", r"\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    ("readme_token", r"rdme_", r"\brdme_[a-z0-9]{60,}"),
    # Clouds and hosting
    ("aws_access_key", r"a[ksbc][ic]a|a3t", r"\b(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}\b"),
    ("aws_session_token", r"iqojb3jpz2lux2vj|fwogzxivyxdz", r"\b(?:IQoJb3JpZ2luX2Vj|FwoGZXIvYXdz)[A-Za-z0-9+/=]{60,}"),
    (
        "aws_bedrock_key",
        r"\babsk|bedrock-api-key-",
        r"\b(?:ABSK[A-Za-z0-9+/]{80,}|bedrock-api-key-[A-Za-z0-9+/=]{20,})",
    ),
    ("amazon_mws_token", r"amzn", r"\b(?:amzn\.mws\.[0-9a-f]{8}-[0-9a-f-]{27}|amzn1\.oa2-cs\.v1\.[0-9a-f]{64})"),
    ("google_oauth_secret", r"gocspx-", r"\bGOCSPX-[\w-]{24,}"),
    ("google_oauth_token", r"\bya29\.|\b1//0|\baq\.ab", r"\b(?:ya29\.[\w-]{20,}|1//0[\w-]{30,}|AQ\.Ab[\w-]{40,})"),
    ("azure_client_secret", r"\dq~", r"[\w~.-]{3}\dQ~[\w~.-]{31,34}"),
    # 88 characters alone would be any SHA-512, as in lock files.
    (
        "azure_storage_key",
        r"account_?key|accesskey|storage|azure|cosmos",
        r"(?:Account_?Key|account_?[Kk]ey|ACCOUNT_KEY|AccessKey|[Ss]torage|[Aa]zure|AZURE|[Cc]osmos)[^\n]{0,60}?[^A-Za-z0-9+/][A-Za-z0-9+/]{86}==",
    ),
    (
        "azure_identifiable_key",
        r"azdo|jqqj9|azfu|\+a(?:cr|st|mc|sb|eh|iot)|\+as",
        r"\b(?:[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}|[A-Za-z0-9]{50,54}JQQJ9[9D][A-Za-z0-9]{20,30}"
        r"|[\w-]{44}AzFu[\w-]{6,8}=*|[A-Za-z0-9+/]{33,42}\+A(?:CR|Sb|SB|EH|RmC|IoT)[A-Za-z0-9+/]{5,6}=?)",
    ),
    ("azure_sas_signature", r"[?&]sig=", r"[?&]sig=[A-Za-z0-9%+/]{40,}"),
    (
        "azure_webhook",
        r"webhook\.office\.com|logic\.azure\.com",
        r"https://[\w.-]+\.webhook\.office\.com/webhookb2/[0-9a-f-]{36}@[0-9a-f-]{36}/IncomingWebhook/[\w/-]{40,}",
    ),
    ("alibaba_key", r"ltai", r"\bLTAI[A-Za-z0-9]{12,24}\b"),
    ("tencent_key", r"\bakid", r"\bAKID[A-Za-z0-9]{28,40}\b"),
    (
        "yandex_key",
        r"\baqvn|\by0_|\bt1\.|\bycaj|\bycp",
        r"\b(?:AQVN[\w-]{35,}|y0_[\w-]{40,}|t1\.[\w-]+=*\.[\w-]{80,}=*|YC[A-Z][\w-]{36,})",
    ),
    ("digitalocean_token", r"do[opr]_v1_", r"\bdo[opr]_v1_[0-9a-f]{48,}"),
    ("heroku_token", r"hrku-", r"\bHRKU-[\w-]{30,}"),
    (
        "cloudflare_token",
        r"\bcf(?:k|ut|at)_|v1\.0-",
        r"\b(?:cf(?:k|ut|at)_[A-Za-z0-9]{40,}|v1\.0-[0-9a-f]{24}-[0-9a-f]{100,})",
    ),
    ("fly_token", r"\bfo1_|\bfm[12][ar]?_", r"\b(?:fo1_[\w-]{30,}|fm[12][ar]?_[A-Za-z0-9+/=_-]{40,})"),
    ("vercel_token", r"\bvc[pairk]_", r"\bvc[pairk]_[A-Za-z0-9]{24,}"),
    ("netlify_token", r"\bnf[pcoub]_", r"\bnf[pcoub]_[A-Za-z0-9]{30,}"),
    ("render_token", r"\brnd_", r"\brnd_[A-Za-z0-9]{24,}"),
    ("scaleway_key", r"\bscw", r"\bSCW[A-Z0-9]{17}\b"),
    ("scalingo_token", r"\btk-us-", r"\btk-us-[\w-]{40,}"),
    ("tailscale_key", r"tskey-", r"\btskey-[a-z]+-[\w-]{16,}"),
    ("openshift_token", r"sha256~", r"\bsha256~[\w-]{40,}"),
    ("rancher_token", r"\btoken-[a-z0-9]{5}:", r"\btoken-[a-z0-9]{5}:[a-z0-9]{50,}"),
    ("pulumi_token", r"\bpul-", r"\bpul-[0-9a-f]{40}"),
    ("terraform_token", r"\.atlasv1\.", r"\b[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{50,}"),
    ("vault_token", r"\bhv[sbr]\.|vault", r"\bhv[sbr]\.[\w-]{24,}|(?:[Vv]ault|VAULT)[^\n]{0,40}\bs\.[A-Za-z0-9]{24}\b"),
    ("doppler_token", r"\bdp\.", r"\bdp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{36,}"),
    ("infracost_token", r"\bico-", r"\bico-[A-Za-z0-9]{32}"),
    ("prefect_token", r"\bpn[ub]_", r"\bpn[ub]_[A-Za-z0-9]{30,}"),
    (
        "onepassword_token",
        r"\bops_eyj|\ba3-",
        r"\b(?:ops_eyJ[\w+/=-]{80,}|A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3})",
    ),
    ("ngrok_token", r"\b[123][a-z0-9]{26}_", r"\b[123][A-Za-z0-9]{26}_[A-Za-z0-9]{20,21}\b"),
    # Databases and observability
    ("planetscale_token", r"pscale_", r"\bpscale_(?:tkn|pw|oauth)_[\w.-]{30,}"),
    ("neon_token", r"\bnapi_|\bnpg_", r"\b(?:napi_[a-z0-9]{40,}|npg_[A-Za-z0-9]{12,})"),
    ("supabase_token", r"\bsbp_|sb_secret_", r"\b(?:sbp_(?:v0_|oauth_)?[0-9a-f]{40}|sb_secret_[\w-]{20,})"),
    ("mongodb_token", r"mdb_sa_sk_", r"\bmdb_sa_sk_[\w-]{30,}"),
    ("cockroach_token", r"ccdb1_", r"\bCCDB1_[A-Za-z0-9]{20,}_[A-Za-z0-9]{32,}"),
    ("dbt_token", r"\bdbt[cu]_", r"\bdbt[cu]_[\w-]{30,}"),
    ("xata_key", r"\bxau_", r"\bxau_[A-Za-z0-9]{24,}"),
    ("databricks_token", r"dapi|\bdose", r"\b(?:dapi|dose)[0-9a-f]{32}(?:-\d)?\b"),
    ("airtable_token", r"\bpat[a-z0-9]{14}\.", r"\bpat[A-Za-z0-9]{14}\.[0-9a-f]{60,}"),
    ("grafana_token", r"\bgl(?:c|sa)_", r"\b(?:glc_[A-Za-z0-9+/=]{32,}|glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8})"),
    (
        "newrelic_key",
        r"\bnr(?:ak|ii|iq|aa|js)-|nral",
        r"\b(?:NR(?:AK|II|IQ|AA)-[A-Za-z0-9_-]{24,}|NRJS-[0-9a-f]{19}|[0-9a-fA-F]{32,36}(?:FFFF)?NRAL)\b",
    ),
    ("sentry_token", r"sntry[su]_", r"\bsntry(?:s_[A-Za-z0-9+/=_-]{40,}|u_[0-9a-f]{60,})"),
    ("dynatrace_token", r"\bdt0[a-z]\d\d\.", r"\bdt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{60,}"),
    ("posthog_key", r"\bph[xs]_", r"\bph[xs]_[A-Za-z0-9_]{30,}"),
    (
        "launchdarkly_key",
        r"\b(?:sdk|mob|api)-[0-9a-f]{8}-",
        r"\b(?:sdk|mob|api)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b",
    ),
    ("segment_token", r"\bsgp_", r"\bsgp_[A-Za-z0-9]{60,}"),
    ("langsmith_key", r"lsv2_", r"\blsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"),
    ("wandb_key", r"wandb_v1_", r"\bwandb_v1_[\w-]{30,}"),
    # Models and the services around them
    ("provider_api_key", r"\bsk-", r"\bsk-(?:(?:proj|ant|svcacct|admin|or|lf|service)-[\w-]{16,}|[\w-]{20,})"),
    ("provider_api_key", r"\baiza", r"\bAIza[\w-]{30,}"),
    ("provider_api_key", r"\b[sr]k_(?:live|test|prod)_", r"\b[sr]k_(?:live|test|prod)_[A-Za-z0-9_]{16,}"),
    ("huggingface_token", r"\bhf_|api_org_", r"\b(?:hf|api_org)_[A-Za-z0-9]{30,}"),
    ("replicate_token", r"\br8_", r"\br8_[A-Za-z0-9]{32,}"),
    ("groq_key", r"\bgsk_", r"\bgsk_[A-Za-z0-9]{40,}"),
    ("perplexity_key", r"\bpplx-", r"\bpplx-[A-Za-z0-9]{40,}"),
    ("xai_key", r"\bxai-", r"\bxai-[A-Za-z0-9_-]{60,}"),
    ("fireworks_key", r"\bfw_", r"\bfw_[A-Za-z0-9]{22,}"),
    ("together_key", r"\btgp_v1_", r"\btgp_v1_[\w-]{36,}"),
    ("cerebras_key", r"\bcsk-", r"\bcsk-[a-z0-9]{40,}"),
    ("nvidia_key", r"nvapi-", r"\bnvapi-[\w-]{50,}"),
    ("voyage_key", r"\bpa-", r"\bpa-[\w-]{43}\b"),
    ("jina_key", r"\bjina_", r"\bjina_[\w-]{50,}"),
    ("tavily_key", r"\btvly-", r"\btvly-(?:dev-|prod-)?[\w-]{28,}"),
    ("firecrawl_key", r"\bfc-", r"\bfc-[0-9a-f]{32}\b"),
    ("e2b_key", r"\be2b_", r"\be2b_[0-9a-f]{36,}"),
    ("elevenlabs_key", r"\bsk_[0-9a-f]{48}", r"\bsk_[0-9a-f]{48}\b"),
    ("pinecone_key", r"\bpcsk_", r"\bpcsk_[\w]{40,}"),
    ("anyscale_key", r"esecret_", r"\besecret_[a-z0-9]{20,}"),
    ("apify_token", r"apify_api_", r"\bapify_api_[A-Za-z0-9]{30,}"),
    ("brave_key", r"\bbsa", r"\bBSA[\w-]{28}\b"),
    ("runpod_key", r"\brpa_", r"\brpa_[A-Za-z0-9]{36,}"),
    ("modal_token", r"\ba[ks]-", r"\bas-[A-Za-z0-9]{22}\b"),
    ("zhipu_key", r"\b[0-9a-f]{32}\.[a-z0-9]{16}", r"\b[0-9a-f]{32}\.[A-Za-z0-9]{16}\b"),
    ("baidu_key", r"bce-v3/altak-", r"\bbce-v3/ALTAK-[A-Za-z0-9]{16,}/[0-9a-f]{32,}"),
    ("volcengine_key", r"\baklt", r"\bAKLT[A-Za-z0-9]{36,}"),
    ("llamacloud_key", r"\bllx-", r"\bllx-[A-Za-z0-9]{36,}"),
    ("cursor_key", r"\bkey_[0-9a-f]{64}", r"\bkey_[0-9a-f]{64}\b"),
    ("rapidapi_key", r"msh[0-9a-f]{15}", r"\b[0-9a-f]{10}msh[0-9a-f]{15,16}p1[0-9a-f]{5,6}jsn[0-9a-f]{12}\b"),
    ("mem0_key", r"\bm0-", r"\bm0-[A-Za-z0-9]{40}\b"),
    # Messages, mail, phones
    ("slack_token", r"\bxox[a-z]|\bxapp-", r"\b(?:xox[abceoprs](?:\.xox[bp])?-[\w.-]{10,}|xapp-\d-[\w-]{20,})"),
    ("slack_webhook", r"hooks\.slack", r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/[\w+/-]{30,}"),
    (
        "discord_token",
        r"\.[\w-]{6}\.[\w-]{27}|\bmfa\.",
        r"\b(?:[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}|mfa\.[\w-]{80,})",
    ),
    ("discord_webhook", r"/api/webhooks/", r"discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d{16,20}/[\w-]{50,}"),
    ("telegram_token", r":aa", r"\b\d{8,10}:AA[\w-]{32,35}"),
    ("twilio_key", r"\bsk[0-9a-f]{32}", r"\bSK[0-9a-f]{32}\b"),
    ("telnyx_key", r"\bkey[0-9a-f]{32}_", r"\bKEY[0-9A-F]{32}_[\w-]{20,}"),
    ("sendgrid_token", r"\bsg\.", r"\bSG\.[\w-]{20,24}\.[\w-]{39,50}"),
    (
        "mailgun_key",
        r"\b(?:pub)?key-[0-9a-f]{32}|\b[0-9a-f]{32}-[0-9a-f]{8}-",
        r"\b(?:(?:pub)?key-[0-9a-f]{32}|[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})\b",
    ),
    ("mailchimp_key", r"-us\d", r"\b[0-9a-f]{32}-us\d{1,2}\b"),
    ("mandrill_key", r"\bmd-", r"\bmd-[\w-]{22}\b"),
    ("brevo_key", r"xkeysib-|xsmtpsib-", r"\bx(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    ("resend_key", r"\bre_", r"\bre_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}"),
    ("mailersend_key", r"mlsn\.", r"\bmlsn\.[0-9a-f]{60,}"),
    ("firebase_key", r":apa91b", r"\b[\w-]{11,24}:APA91b[\w-]{100,}"),
    ("onesignal_key", r"os_v2_", r"\bos_v2_(?:app|org)_[a-z2-7]{60,}"),
    ("ably_key", r"\.[\w-]{6}:[\w-]{43}", r"\b[\w-]{6}\.[\w-]{6}:[\w-]{43}\b"),
    # Money and commerce
    ("webhook_secret", r"whsec_", r"\bwhsec_[A-Za-z0-9+/=]{24,}"),
    ("square_token", r"\bsq0|\beaaa", r"\b(?:sq0(?:atp|csp|idp)-[\w-]{22,}|EAAA[\w-]{56,64})"),
    ("paypal_token", r"access_token\$", r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}"),
    ("woocommerce_key", r"\bc[ks]_[0-9a-f]{40}", r"\bc[ks]_[0-9a-f]{40}\b"),
    ("mercadopago_token", r"\bapp_usr-|\btest-\d{16}", r"\b(?:APP_USR|TEST)-\d{12,16}-\d{6}-[0-9a-f]{32}"),
    ("razorpay_key", r"\brzp_", r"\brzp_(?:live|test)_[A-Za-z0-9]{14,}"),
    (
        "plaid_token",
        r"\baccess-(?:sandbox|dev|prod)",
        r"\baccess-(?:sandbox|development|production)-[0-9a-f]{8}-[0-9a-f-]{27}",
    ),
    ("shopify_token", r"\bshp[a-z]{2,3}_", r"\bshp(?:at|ca|pa|ss|ua|tka)_[0-9a-fA-F]{32}"),
    ("shippo_token", r"shippo_", r"\bshippo_(?:live|test)_[0-9a-f]{40}"),
    ("easypost_token", r"\bez[at]k", r"\bEZ[AT]K[A-Za-z0-9]{50,}"),
    ("duffel_token", r"duffel_", r"\bduffel_(?:live|test)_[\w=-]{40,}"),
    ("flutterwave_key", r"flwseck", r"\bFLWSECK(?:_TEST)?-[0-9a-zA-Z]{12,}(?:-X)?"),
    (
        "payment_live_key",
        r"\b(?:live|test)_",
        r"\b(?:live|test)_(?:pub_)?(?:[0-9a-f]{31,35}|[A-Za-z0-9]{30}|[\w-]{40})\b",
    ),
    # Work and people
    ("atlassian_token", r"\bat[ac]tt3|\batta", r"\b(?:AT[AC]TT3[\w=-]{50,}|ATTA[0-9a-f]{60,})"),
    ("linear_token", r"\blin_", r"\blin_(?:api|oauth|wh)_[A-Za-z0-9]{30,}"),
    ("notion_token", r"\bntn_|\bsecret_", r"\b(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43})\b"),
    ("figma_token", r"\bfig[a-z]_", r"\bfig[dour]_[\w-]{36,}"),
    ("asana_token", r"\d/\d{15,17}[:/]", r"\b[012]/\d{15,17}(?:/\d{15,17})?:[0-9a-f]{32}\b"),
    ("clickup_token", r"\bpk_\d", r"\bpk_\d{6,10}_[A-Z0-9]{30,}"),
    (
        "hubspot_token",
        r"\bpat-[a-z]{2}\d-",
        r"\bpat-[a-z]{2}\d-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    ),
    ("typeform_token", r"\btfp_", r"\btfp_[\w.=-]{40,}"),
    ("contentful_token", r"cfpat-", r"\bCFPAT-[\w-]{40,}"),
    ("frameio_token", r"\bfio-u-", r"\bfio-u-[\w=-]{60,}"),
    ("intercom_token", r"\bdg9rog", r"\bdG9rOg[A-Za-z0-9+/=]{30,}"),
    ("dropbox_token", r"\bsl\.", r"\bsl\.(?:u\.)?[\w=-]{80,}"),
    ("salesforce_token", r"\b00d[a-z0-9]{12,15}!", r"\b00D[A-Za-z0-9]{12,15}![\w.]{60,}"),
    ("zoho_token", r"\b1000\.", r"\b1000\.[0-9a-f]{32}\.[0-9a-f]{32}\b"),
    ("zapier_webhook", r"hooks\.zapier\.com", r"hooks\.zapier\.com/hooks/catch/\d+/[\w-]+"),
    ("adobe_secret", r"\bp8e-", r"\bp8e-[A-Za-z0-9_-]{32}\b"),
    ("ghost_key", r"\b[0-9a-f]{24}:", r"\b[0-9a-f]{24}:[0-9a-f]{64}\b"),
    ("stytch_secret", r"\bsecret-(?:live|test)-", r"\bsecret-(?:live|test)-[\w=-]{30,}"),
    ("wakatime_key", r"\bwaka_", r"\bwaka_[0-9a-f]{8}-[0-9a-f-]{27}"),
    ("lichess_token", r"\blip_", r"\blip_[A-Za-z0-9]{20,}"),
    ("maxmind_key", r"_mmk", r"\b[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk\b"),
    ("mapbox_secret", r"\bsk\.eyj", r"\bsk\.eyJ[\w-]{20,}\.[\w-]{16,}"),
    # Social
    (
        "facebook_token",
        r"\beaa|\b\d{15,17}\|",
        r"\b(?:EAACEdEose0cBA[A-Za-z0-9]{16,}|EAA[A-Za-z0-9]{48,}|\d{15,17}\|[\w-]{27})\b",
    ),
    ("instagram_token", r"\bigq|\bigaa", r"\b(?:IGQ|IGAA)[\w-]{80,}"),
    (
        "twitter_token",
        r"\ba{19}|\b\d{15,19}-[a-z0-9]{40}",
        r"\b(?:A{19,}[A-Za-z0-9%]{50,}|\d{15,19}-[A-Za-z0-9]{40}\b)",
    ),
    ("twitch_token", r"\boauth:", r"\boauth:[a-z0-9]{30}\b"),
    ("linkedin_secret", r"wpl_ap1\.", r"\bWPL_AP1\.[A-Za-z0-9.]{14,}[A-Za-z0-9+/=]*"),
    # Keys on their own
    ("jwt", r"\beyj", r"\beyJ[\w-]{5,}\.[\w-]{8,}\.[\w-]{8,}"),
    ("swarm_token", r"swmtkn-1-", r"\bSWMTKN-1-[a-z0-9]{40,}-[a-z0-9]{20,}"),
    ("k3s_token", r"\bk10[0-9a-f]{48}", r"\bK10[0-9a-f]{48,}::\w+:[\w.-]{16,}"),
    ("age_key", r"age-secret-key-", r"\bAGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]{50,}"),
    ("wallet_key", r"\bxprv|\b[yz]prv", r"\b[xyz]prv[1-9A-HJ-NP-Za-km-z]{100,}"),
)

# Rules whose prefix is also met in names and prose: the body must look machine-made.
_LOOSE: Final = frozenset(
    {"payment_live_key", "voyage_key", "mandrill_key", "brave_key", "modal_token", "adobe_secret", "discord_token"}
    | {"ably_key", "octopus_token", "nuget_token", "lichess_token", "dropbox_token", "facebook_token"}
)
# An unknown provider that follows the custom of the known ones: name, purpose, random body.
_CUSTOMARY: Final = (
    r"\b[a-z][a-z0-9]{1,11}[_-](?:live|test|prod|sandbox|pat|sk|api|apikey|key|secret|token|tok|access|refresh|oat|sat)"
    r"[_-](?:[a-z0-9]{1,6}[_-])?[A-Za-z0-9]{20,}"
)
_BASE58: Final = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def _is_real(token: bytes) -> bool:
    return not is_blanked(token)


def _is_real_random(token: bytes) -> bool:
    return not is_blanked(token) and is_random(token)


def _is_thoroughly_mixed(token: bytes) -> bool:
    body = token.partition(b"_")[2]
    return _is_real_random(body) and body.lower() != body != body.upper()


def _is_wallet_key(token: bytes) -> bool:
    """Bitcoin's wallet import format ends in four bytes of a double hash: no other text passes by chance."""
    number = 0
    for byte in token:
        number = number * 58 + _BASE58.index(byte)
    raw = number.to_bytes(max(38, (number.bit_length() + 7) // 8), "big").lstrip(b"\0")
    body, checksum = raw[:-4], raw[-4:]
    return hashlib.sha256(hashlib.sha256(body).digest()).digest()[:4] == checksum


DETECTORS: Final[tuple[Detector, ...]] = (
    *(
        by_pattern(kind, keyword, source, _is_real_random if kind in _LOOSE else _is_real)
        for kind, keyword, source in _RULES
    ),
    by_pattern("wallet_key", r"\b[5kl][1-9a-z]{50}", r"\b[5KL][1-9A-HJ-NP-Za-km-z]{50,51}\b", _is_wallet_key),
    by_pattern(
        "generic_api_key",
        r"[_-](?:live|test|prod|sandbox|pat|sk|api|apikey|key|secret|token|tok|access|refresh|oat|sat)[_-]",
        _CUSTOMARY,
        _is_real_random,
    ),
    # A short prefix and a long body of all three kinds of characters: longer than the ids providers hand out.
    by_pattern(
        "generic_api_key", r"\b[a-z]{2,8}_[a-z0-9]{36}", r"\b[a-z]{2,8}_[A-Za-z0-9]{36,}\b", _is_thoroughly_mixed
    ),
)
