"""Django settings; what differs between machines comes from the environment, or from a .env file beside manage.py."""

import hashlib
import os
from pathlib import Path

import django_stubs_ext
import environ
from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key
from django_guid.integrations import CeleryIntegration

from portal.site.error_reports import start_error_reports

django_stubs_ext.monkeypatch()  # lets Django's generic classes take type arguments at run time

BASE_DIR = Path(__file__).resolve().parent.parent

RELEASE_FILES = (
    "portal/**/*.py",
    "ratings/**/*.py",
    "portal/**/*.po",
    "templates/**/*.html",
    "templates/**/*.txt",
    "static/**/*.css",
    "static/**/*.js",
    "package-lock.json",
    "requirements.txt",
)


def read_or_create_secret(path: Path) -> str:
    """Return the secret in a file, created on first use; several machines share one by the setting SECRET_KEY."""
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(get_random_secret_key())
    return path.read_text()


def hash_release(folder: Path) -> str:
    """Return a hash of the code, templates, catalogues and pinned packages: equal on all checkouts of one commit."""
    digest = hashlib.sha256()
    for path in sorted(path for part in RELEASE_FILES for path in folder.glob(part)):
        digest.update(f"{path.relative_to(folder).as_posix()} {path.stat().st_size}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


env = environ.Env()
env.read_env(BASE_DIR / ".env")
if not env.bool("WEB_PROCESS", default=False):  # portal/wsgi.py sets it; other processes would add their own figures
    os.environ.pop("PROMETHEUS_MULTIPROC_DIR", None)

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="") or read_or_create_secret(BASE_DIR / "var" / "secret_key")
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
FORM_RENDERER = "portal.site.form_rendering.FormRenderer"
CSRF_FAILURE_VIEW = "portal.site.views.access.csrf_failure"

INSTALLED_APPS = [
    "ratings",
    "portal",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.sitemaps",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "django.contrib.humanize",
    "auditlog",
    "corsheaders",
    "django_countries",
    "django_filters",
    "django_guid",
    "django_tables2",
    "import_export",
]

MIDDLEWARE = [
    "django_guid.middleware.guid_middleware",  # first: an id for everything that is logged about a request
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "portal.middleware.requests.Headers",
    "csp.middleware.CSPMiddleware",
    "portal.middleware.requests.BodyLimit",  # before everything that reads the body
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "portal.api.middleware.Api",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "portal.middleware.requests.Language",
    "portal.middleware.limits.Limits",
    "portal.middleware.page_cache.PageCache",
    "portal.middleware.replica.Replica",
    "portal.middleware.requests.TimeZone",  # inside the page cache, whose notices name the time in UTC
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
    "portal.middleware.requests.NoNulls",
    "portal.middleware.requests.SecondFactor",
    "portal.middleware.requests.ActingUser",
    "auditlog.middleware.AuditlogMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "portal.middleware.requests.MethodNotAllowedPage",
    "django_prometheus.middleware.PrometheusAfterMiddleware",
]

ROOT_URLCONF = "portal.urls"
FORCE_SCRIPT_NAME = env.str("FORCE_SCRIPT_NAME", default="")  # never taken from a header
WSGI_APPLICATION = "portal.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# limit of a PostgreSQL statement in seconds; portal/wsgi.py sets it for the web; 0 (workers, commands): no limit
STATEMENT_SECONDS = env.int("STATEMENT_SECONDS", default=0)
ANSWER_SECONDS = STATEMENT_SECONDS and STATEMENT_SECONDS + 3  # measured by this process
# a name of five letters keeps two of its six trigrams when two of the letters are swapped
WORD_SIMILARITY = "0.32"
DATABASES = {"default": env.db_url("DATABASE_URL", default=f"sqlite:///{BASE_DIR / 'db.sqlite3'}")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        "timeout": 20,
        # a transaction that will write takes the write lock at once, instead of failing half-way
        "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
else:
    DATABASES["default"] |= {
        "ENGINE": "ratings.postgres",  # Django's backend, with time limits
        "CONN_MAX_AGE": env.int("CONN_MAX_AGE", default=60),
        "CONN_HEALTH_CHECKS": True,
    }
    server_options = {
        "pg_trgm.word_similarity_threshold": WORD_SIMILARITY,
        "statement_timeout": f"{STATEMENT_SECONDS}s",
        "lock_timeout": f"{STATEMENT_SECONDS and max(STATEMENT_SECONDS // 2, 1)}s",
        "idle_in_transaction_session_timeout": f"{4 * STATEMENT_SECONDS}s",
    }
    DATABASES["default"].setdefault("OPTIONS", {}).update(
        options=" ".join(f"-c {name}={value}" for name, value in server_options.items()), connect_timeout=3
    )
# a PostgreSQL replica from which anonymous pages are read, and the seconds after which it surely has every change
REPLICA_LAG_SECONDS = env.int("REPLICA_LAG_SECONDS", default=10)
REPLICA_URL = env.str("REPLICA_URL", default="")
if REPLICA_URL:
    DATABASES["replica"] = DATABASES["default"] | env.db_url_config(REPLICA_URL) | {"ENGINE": "ratings.postgres"}
    DATABASES["replica"]["OPTIONS"] = DATABASES["default"]["OPTIONS"]
    DATABASE_ROUTERS = ["ratings.postgres.replica.ReplicaRouter"]
# a PgBouncer in transaction mode, through which the web reaches the database; other processes use DATABASE_URL
POOLER_URL = env.str("POOLER_URL", default="")
USES_POOLER = bool(POOLER_URL) and env.bool("WEB_PROCESS", default=False)
if USES_POOLER and not env.str("REDIS_URL", default=""):
    raise ImproperlyConfigured(
        "set REDIS_URL, or remove POOLER_URL: without Redis the web rates lists, which needs a session of PostgreSQL"
    )
if USES_POOLER:
    pooler = env.db_url_config(POOLER_URL)
    DATABASES["default"] |= pooler | {
        "ENGINE": "ratings.postgres",
        "DISABLE_SERVER_SIDE_CURSORS": True,  # the next query of a connection may reach another session
        # PgBouncer passes on no startup options: their values belong to the role (docs/operations.md)
        "OPTIONS": pooler.get("OPTIONS", {}) | {"connect_timeout": 3, "prepare_threshold": None},
    }
# identifies the code in the keys of cached pages and reads, whose content depends on it
RELEASE = hash_release(BASE_DIR)
# with Redis all processes of all machines share the cache, which also counts failed log-ins and requests per address
REDIS_URL = env.str("REDIS_URL", default="")
REDIS_SECONDS = 1.0  # timeout; then the memory of the process is used for some seconds
REDIS_CACHE = {
    "BACKEND": "portal.site.caching.FallbackCache",
    "LOCATION": REDIS_URL.replace("redis+socket://", "unix://"),
    "KEY_PREFIX": "portal",
    "OPTIONS": {
        "SERIALIZER": "portal.site.caching.JsonSerializer",
        "SOCKET_CONNECT_TIMEOUT": REDIS_SECONDS,
        "SOCKET_TIMEOUT": REDIS_SECONDS,
    },
}
CACHES = {"default": REDIS_CACHE if REDIS_URL else {"BACKEND": "portal.site.caching.MemoryCache"}}
# seconds for which anonymous visitors get a cached page; 0 without Redis, where a purge would reach one process only
PAGE_CACHE_SECONDS = 10 if REDIS_URL else 0
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CELERY_BROKER_URL = REDIS_URL or "memory://localhost/"
# without a broker, tasks run in the calling process
CELERY_TASK_ALWAYS_EAGER = not REDIS_URL
CELERY_TASK_EAGER_PROPAGATES = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = CELERY_RESULT_SERIALIZER = CELERY_EVENT_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]  # never pickles
CELERY_WORKER_PREFETCH_MULTIPLIER = 1  # a worker reserves no messages while it works on a long run
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # workers keep trying until the broker is back
CELERY_BROKER_CONNECTION_TIMEOUT = 2
CELERY_TASK_PUBLISH_RETRY = False  # requests do not wait for the broker: the sweep finds the work
BROKER_SECONDS = env.float("BROKER_SECONDS", default=10)  # timeout; portal/wsgi.py sets 1 for the web
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_connect_timeout": BROKER_SECONDS,
    "socket_timeout": BROKER_SECONDS,
    "socket_keepalive": True,
    "retry_on_timeout": False,
    "max_retries": 0,
    "interval_start": 0,
}
CELERY_TIMEZONE = "UTC"
# rating tasks have their own workers, so that mails and other tasks never delay them
CELERY_TASK_ROUTES = (
    {f"ratings.{task}": {"queue": "rating"} for task in ("rerate", "sweep", "publish", "announce")}
    | {
        # of its own: no rating run waits for a study or for the effects of a proposal
        f"ratings.{task}": {"queue": "laboratory"}
        for task in ("evaluate", "effects")
    }
    | {
        # of its own: no mail waits for a program that answers slowly
        f"ratings.{task}": {"queue": "webhooks"}
        for task in ("webhooks", "webhook", "webhook_ping")
    }
)
# seconds after which a worker is stopped and replaced; a rating run of a whole history may take long
CELERY_TASK_TIME_LIMIT = 600
CELERY_TASK_ANNOTATIONS = {
    f"ratings.{task}": {"time_limit": 6 * 3600} for task in ("rerate", "sweep", "evaluate", "effects")
}
LOGIN_URL, LOGIN_REDIRECT_URL, LOGOUT_REDIRECT_URL = "account_login", "start", "front"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
# only in the browser of the sign-up, which then returns to the page that required an account
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_FORMS = {
    "login": "portal.site.account_forms.LoginForm",
    "signup": "portal.site.account_forms.SignupForm",
    "add_email": "portal.site.account_forms.AddEmailForm",
    "change_password": "portal.site.account_forms.ChangePasswordForm",
    "set_password": "portal.site.account_forms.SetPasswordForm",
    "reset_password": "portal.site.account_forms.ResetPasswordForm",
    "reset_password_from_key": "portal.site.account_forms.ResetPasswordKeyForm",
    "reauthenticate": "portal.site.account_forms.ReauthenticateForm",
}
MFA_FORMS = {
    "authenticate": "portal.site.account_forms.AuthenticateForm",
    "reauthenticate": "portal.site.account_forms.ReauthenticateCodeForm",
    "activate_totp": "portal.site.account_forms.ActivateTOTPForm",
    "add_webauthn": "portal.site.account_forms.AddWebAuthnForm",
    "edit_webauthn": "portal.site.account_forms.EditWebAuthnForm",
}
# number of trusted proxies in front; each adds an address to X-Forwarded-For
TRUSTED_PROXIES = ALLAUTH_TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXIES", default=0)
# limits per address: they slow down crawlers of the whole site, but not people with several open windows;
# COSTLY_RATE is for files, searches and the calculator. Empty: no limit
PAGE_RATE = env.str("PAGE_RATE", default="600/5m") or None
COSTLY_RATE = env.str("COSTLY_RATE", default="300/5m") or None
RATELIMIT_FAIL_OPEN = True  # requests that cannot be counted are allowed
# where to report security problems: mailto:… or https://…, for /.well-known/security.txt
SECURITY_CONTACT = env.str("SECURITY_CONTACT", default="")
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = DEBUG  # browsers themselves accept http from localhost only
USERSESSIONS_TRACK_ACTIVITY = True
# users who accept results need a second factor; not with DEBUG, where the demo prints the passwords anyway
SECOND_FACTOR = env.bool("SECOND_FACTOR", default=not DEBUG)
# decisions (accepting, merging, approving, appointing …) need a log-in within the last SIGN_IN_AGAIN_SECONDS
SIGN_IN_AGAIN = env.bool("SIGN_IN_AGAIN", default=not DEBUG)
ACCOUNT_REAUTHENTICATION_TIMEOUT = env.int("SIGN_IN_AGAIN_SECONDS", default=900)
API_RATE = env.int("API_RATE", default=600)  # API requests per minute from an address
LOCAL_ADDRESS = "http://127.0.0.1:8000"  # for trying out the site; a check warns if SITE_ADDRESS is not another one
SITE_ADDRESS = env.str("SITE_ADDRESS", default=LOCAL_ADDRESS).rstrip("/")
EMAIL_CONFIG = env.email_url("EMAIL_URL", default="consolemail://")
vars().update(EMAIL_CONFIG)
# requests write mails to the database (ratings/domain/site/outbox.py); a worker delivers them with this backend
MAIL_DELIVERY_BACKEND = EMAIL_CONFIG["EMAIL_BACKEND"]
EMAIL_BACKEND = "ratings.domain.site.outbox.Backend"
EMAIL_TIMEOUT = 10  # seconds to wait for the mail server
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="ratings@localhost")
DATA_UPLOAD_MAX_NUMBER_FIELDS = 60_000  # a crosstable of 1,000 players and 30 rounds has a field per cell
AUDITLOG_DISABLE_REMOTE_ADDR = True  # log who made a change, but not their IP address
# maximum sizes in MB: an uploaded ratings-history/1 file, and the unpacked files of a zip archive
HISTORY_MB = env.int("HISTORY_MB", default=25)
ARCHIVE_MB = env.int("ARCHIVE_MB", default=50)
RESTORE_DAYS = env.int("RESTORE_DAYS", default=30)  # deleted drafts can be restored this long
CONTACT_DAYS = env.int("CONTACT_DAYS", default=30)  # email addresses of entries are kept this long after the event
WEBHOOK_DAYS = env.int("WEBHOOK_DAYS", default=30)  # the log of webhooks is kept this long, and so can be replayed
MAIL_DAYS = env.int("MAIL_DAYS", default=30)  # mails that could not be delivered
LINK_DAYS = env.int("LINK_DAYS", default=90)  # links and API keys, after they have expired
ENTRY_DAYS = env.int("ENTRY_DAYS", default=365)  # entries that nobody confirmed, after the event
RUN_DAYS = env.int("RUN_DAYS", default=90)  # previews of rating runs, and runs that failed or were cancelled
# 0: never deleted
DRAFT_DAYS = env.int("DRAFT_DAYS", default=0) or None  # drafts that were never submitted
UPLOAD_DAYS = env.int("UPLOAD_DAYS", default=0) or None  # original files of accepted results
LOG_DAYS = env.int("LOG_DAYS", default=0) or None  # the record of changes
WEBHOOK_PORTS = [443, 8443]
WEBHOOKS_TO_ANY_ADDRESS = DEBUG  # also http, any port and private addresses; never on a real site
WEBHOOKS_IN_THREAD = True  # where there are no workers
DISK_MINIMUM_MB = env.int("DISK_MINIMUM_MB", default=500)  # less free space is reported at /health/
SWEEP_SECONDS = env.int("SWEEP_SECONDS", default=60)
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "ratings.sweep", "schedule": SWEEP_SECONDS},
    "mails": {"task": "ratings.mails", "schedule": SWEEP_SECONDS},
    "webhooks": {"task": "ratings.webhooks", "schedule": SWEEP_SECONDS},
    "weekly_mails": {"task": "ratings.weekly_mails", "schedule": 3600},
    "publish": {"task": "ratings.publish", "schedule": 3600},
    "announce": {"task": "ratings.announce", "schedule": 3600},
    "statistics": {"task": "ratings.statistics", "schedule": 600},
    # at an hour, not at an interval, which would begin again when beat starts without its file
    "delete_expired": {"task": "ratings.delete_expired", "schedule": crontab(hour=2, minute=30)},
}

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("fr", "Français"), ("de", "Deutsch"), ("ja", "日本語")]
LOCALE_PATHS = [BASE_DIR / "portal" / "locale"]
# the cookie is set when a visitor chooses a language; without it the browser's languages decide
LANGUAGE_COOKIE_NAME, LANGUAGE_COOKIE_AGE = "language", 31536000
LANGUAGE_COOKIE_HTTPONLY, LANGUAGE_COOKIE_SAMESITE = True, "Lax"
TIME_ZONE = "UTC"
USE_TZ = True
# dates are ISO and decimals have a point; DAY_FORMAT of portal/date_formats has the days on public pages
DATE_FORMAT = "Y-m-d"
FORMAT_MODULE_PATH = ["portal.date_formats"]

STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "var" / "static"
NODE_MODULES = BASE_DIR / "node_modules"
STATICFILES_DIRS = [
    BASE_DIR / "static",
    ("vendor/flags", NODE_MODULES / "country-flag-icons" / "3x2"),
    ("vendor/inter", NODE_MODULES / "@fontsource-variable" / "inter"),
    ("vendor/source-serif-4", NODE_MODULES / "@fontsource-variable" / "source-serif-4"),
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "font-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "object-src": [NONE],
        "frame-ancestors": [NONE],
        "form-action": [SELF],
        "base-uri": [NONE],
    }
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# scripts on any website may read the API, without cookies
CORS_URLS_REGEX = "(?!)"  # no path by itself: `is_open_to_all_origins` in portal/api/middleware.py decides
CORS_ALLOW_ALL_ORIGINS = True
CORS_ALLOW_METHODS = ["GET", "HEAD", "OPTIONS"]
CORS_ALLOW_HEADERS = ["If-None-Match"]
CORS_EXPOSE_HEADERS = [
    "ETag",
    "Last-Modified",
    "Link",
    "Retry-After",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
]
HTTPS = env.bool("HTTPS", default=False)
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
SECURE_HSTS_SECONDS = 31536000 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None

DJANGO_TABLES2_TEMPLATE = "site/listing.html"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {"format": "{asctime} {levelname} {name}: {message}{request}", "style": "{"},
        "json": {
            "()": "pythonjsonlogger.json.JsonFormatter",
            "format": "{asctime}{levelname}{name}{message}{request_id}",
            "style": "{",
        },
    },
    "filters": {"request": {"()": "portal.site.request_ids.RequestId"}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": env.str("LOG_FORMAT", default="plain"),
            "filters": ["request"],
        },
    },
    # these log every step of their work
    "loggers": {name: {"level": "WARNING"} for name in ("celery.app.trace", "django_guid", "fontTools")},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="INFO")},
}

# an id for each request: in its log lines, in the response, and in the tasks that it sends to workers
DJANGO_GUID = {
    "GUID_HEADER_NAME": "X-Request-Id",
    "VALIDATE_GUID": True,
    "EXPOSE_HEADER": False,  # corsheaders names the headers that scripts may read
    "INTEGRATIONS": [CeleryIntegration(use_django_logging=False, log_parent=False)],
}
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")  # with it, programs read /metrics; empty: no such page
METRICS_DIRECTORY = env.str("PROMETHEUS_MULTIPROC_DIR", default="")  # shared by the processes of one web server
PROMETHEUS_EXPORT_MIGRATIONS = False
SENTRY_DSN = env.str("SENTRY_DSN", default="")  # errors of web and workers are sent there, without personal data
if SENTRY_DSN:
    start_error_reports(SENTRY_DSN, RELEASE)
