"""Settings. Everything that differs between machines comes from the environment (or a .env file beside manage.py)."""

from pathlib import Path

import django_stubs_ext
import environ
from csp.constants import NONE, SELF
from django.core.management.utils import get_random_secret_key

django_stubs_ext.monkeypatch()  # Django's generic classes take their type arguments at run time too

BASE_DIR = Path(__file__).resolve().parent.parent


def kept_secret(path: Path) -> str:
    """A secret made on first use, so that a single machine needs no set-up; several share one by SECRET_KEY."""
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(get_random_secret_key())
    return path.read_text()


env = environ.Env()
env.read_env(BASE_DIR / ".env")

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="") or kept_secret(BASE_DIR / "var" / "secret_key")
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

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
    "django_countries",
    "django_filters",
    "django_tables2",
    "import_export",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "portal.middleware.Headers",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "portal.api.middleware.Api",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "portal.middleware.Language",
    "portal.limits.Limits",
    "portal.kept_pages.KeptPages",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
    "portal.middleware.NoNulls",
    "portal.middleware.SecondFactor",
    "portal.middleware.ActingUser",
    "auditlog.middleware.AuditlogMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "portal.urls"
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

DATABASES = {"default": env.db_url("DATABASE_URL", default=f"sqlite:///{BASE_DIR / 'db.sqlite3'}")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        "timeout": 20,
        # a transaction that will write takes the write lock at once, instead of failing half-way
        "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
else:
    DATABASES["default"]["CONN_MAX_AGE"] = env.int("CONN_MAX_AGE", default=60)
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    # two of six trigrams are left of a name of five letters with two of them swapped
    DATABASES["default"].setdefault("OPTIONS", {})["options"] = "-c pg_trgm.word_similarity_threshold=0.32"
# shared by all processes where there is Redis: it counts failed log-ins and the pages that an address asks for
# what is kept has the shape that this release of the code gives it
FOLDERS = ("portal", "ratings", "static", "templates")
WRITTEN = [path for folder in FOLDERS for path in (BASE_DIR / folder).rglob("*.*") if path.suffix != ".pyc"]
RELEASE = str(max(path.stat().st_mtime_ns for path in [*WRITTEN, *BASE_DIR.glob("requirements.txt")]))
REDIS_URL = env.str("REDIS_URL", default="")
REDIS_CACHE = {
    "BACKEND": "django_redis.cache.RedisCache",
    "LOCATION": REDIS_URL,
    "KEY_PREFIX": RELEASE,
    # without Redis, or with a full one, pages are made anew and nobody is counted
    "OPTIONS": {"IGNORE_EXCEPTIONS": True, "SOCKET_CONNECT_TIMEOUT": 1, "SOCKET_TIMEOUT": 2},
}
DJANGO_REDIS_LOG_IGNORED_EXCEPTIONS = True
CACHES = {"default": REDIS_CACHE if REDIS_URL else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CELERY_BROKER_URL = REDIS_URL or "memory://localhost/"
# without a broker, tasks run in the process that asks
CELERY_TASK_ALWAYS_EAGER = not REDIS_URL
CELERY_TASK_EAGER_PROPAGATES = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TIMEZONE = "UTC"
# rating work waits for nothing else, and nothing waits for it
CELERY_TASK_ROUTES = {f"ratings.{task}": {"queue": "rating"} for task in ("rerate", "sweep", "publish", "announce")}
LOGIN_URL, LOGIN_REDIRECT_URL, LOGOUT_REDIRECT_URL = "account_login", "front", "front"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_CHANGE_EMAIL = True
# how many proxies of ours stand in front, each of which adds an address to X-Forwarded-For
TRUSTED_PROXIES = ALLAUTH_TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXIES", default=0)
# requests from one address: machines that take the whole site are slowed, people with several windows open are not;
# files, searches and the calculator cost more. Empty: no limit
PAGE_RATE = env.str("PAGE_RATE", default="600/5m") or None
COSTLY_RATE = env.str("COSTLY_RATE", default="300/5m") or None
RATELIMIT_FAIL_OPEN = True  # who cannot be counted is let in
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
USERSESSIONS_TRACK_ACTIVITY = True
# who accepts results needs a second factor; not on one's own machine, where the passwords are printed anyway
SECOND_FACTOR = env.bool("SECOND_FACTOR", default=not DEBUG)
API_RATE = env.int("API_RATE", default=600)  # requests to the API in a minute from one address
SITE_ADDRESS = env.str("SITE_ADDRESS", default="http://127.0.0.1:8000").rstrip("/")
EMAIL_CONFIG = env.email_url("EMAIL_URL", default="consolemail://")
vars().update(EMAIL_CONFIG)
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="ratings@localhost")
DATA_UPLOAD_MAX_NUMBER_FIELDS = 60_000  # a sheet of 1,000 players and 30 rounds, every cell a field
AUDITLOG_DISABLE_REMOTE_ADDR = True  # who made a change is kept, not where he sat
SWEEP_SECONDS = env.int("SWEEP_SECONDS", default=60)
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "ratings.sweep", "schedule": SWEEP_SECONDS},
    "publish": {"task": "ratings.publish", "schedule": 3600},
    "announce": {"task": "ratings.announce", "schedule": 3600},
    "statistics": {"task": "ratings.statistics", "schedule": 600},
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
# set when a visitor chooses; without it the browser's languages are asked
LANGUAGE_COOKIE_NAME, LANGUAGE_COOKIE_AGE = "language", 31536000
LANGUAGE_COOKIE_HTTPONLY, LANGUAGE_COOKIE_SAMESITE = True, "Lax"
TIME_ZONE = "UTC"
USE_TZ = True
# dates are ISO and numbers have a point in every language
DATE_FORMAT = "Y-m-d"
FORMAT_MODULE_PATH = ["portal.date_formats"]

STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "var" / "static"
STATICFILES_DIRS = [BASE_DIR / "static", ("vendor", BASE_DIR / "node_modules" / "uplot" / "dist")]
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
        "object-src": [NONE],
        "frame-ancestors": [NONE],
        "form-action": [SELF],
        "base-uri": [NONE],
    }
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
HTTPS = env.bool("HTTPS", default=False)
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
SECURE_HSTS_SECONDS = 31536000 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None

DJANGO_TABLES2_TEMPLATE = "portal/listing.html"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"},
        "json": {
            "()": "pythonjsonlogger.json.JsonFormatter",
            "format": "{asctime}{levelname}{name}{message}",
            "style": "{",
        },
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": env.str("LOG_FORMAT", default="plain")},
    },
    # both tell every step of every piece of work
    "loggers": {"celery.app.trace": {"level": "WARNING"}, "fontTools": {"level": "WARNING"}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="INFO")},
}
