"""A Django project with graphene-django, in one file: `uvicorn django_app:app`.

`/` takes operations one by one, and files. `/batch/` takes lists of them, `/pretty/` indents what it writes, and
`/protected/` wants the token of Django's protection against forged requests (CSRF), as every view does by default.
An address without its last slash is redirected to the one with it, as Django does by default.
"""

import json

import graphene
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.core.serializers.json import DjangoJSONEncoder
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

settings.configure(
    ALLOWED_HOSTS=["127.0.0.1"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    DATA_UPLOAD_MAX_MEMORY_SIZE=20_000_000,
    INSTALLED_APPS=["django.contrib.contenttypes", "graphene_django"],
    MIDDLEWARE=["django.middleware.common.CommonMiddleware", "django.middleware.csrf.CsrfViewMiddleware"],
    ROOT_URLCONF=__name__,
    SECRET_KEY="for tests",
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}],
)
app = get_asgi_application()

# What follows needs Django to be set up.
from graphene_django.views import GraphQLView  # noqa: E402
from graphene_file_upload.django import FileUploadGraphQLView  # noqa: E402
from graphene_file_upload.scalars import Upload  # noqa: E402


class Character(graphene.Interface):
    id = graphene.ID(required=True)
    name = graphene.String(required=True)
    friends = graphene.List(graphene.NonNull(lambda: Character), required=True)

    def resolve_friends(parent, info):
        return [characters[id] for id in friendships[parent.id]]


class Human(graphene.ObjectType):
    class Meta:
        interfaces = (Character,)

    home_planet = graphene.String()


class Droid(graphene.ObjectType):
    class Meta:
        interfaces = (Character,)

    primary_function = graphene.String()


class Starship(graphene.ObjectType):
    id = graphene.ID(required=True)
    name = graphene.String(required=True)


class SearchResult(graphene.Union):
    class Meta:
        types = (Human, Droid, Starship)


characters = {
    "1000": Human(id="1000", name="Luke Skywalker", home_planet="Tatooine"),
    "1002": Human(id="1002", name="Han Solo"),
    "2001": Droid(id="2001", name="R2-D2", primary_function="Astromech"),
}
friendships = {"1000": ["1002", "2001"], "1002": ["1000"], "2001": ["1000", "1002"]}
starships = [Starship(id="3000", name="Millennium Falcon")]


class Query(graphene.ObjectType):
    hero = graphene.Field(Character)
    search = graphene.List(graphene.NonNull(SearchResult), text=graphene.String(required=True), required=True)
    boom = graphene.String()
    boom_non_null = graphene.String(required=True)

    def resolve_hero(parent, info):
        return characters["2001"]

    def resolve_search(parent, info, text):
        return [one for one in [*characters.values(), *starships] if text.lower() in one.name.lower()]

    def resolve_boom(parent, info):
        raise ValueError("boom!")

    resolve_boom_non_null = resolve_boom


class FileInfo(graphene.ObjectType):
    name = graphene.String(required=True)
    size = graphene.Int(required=True)
    content_type = graphene.String()
    text = graphene.String(required=True)

    @staticmethod
    def of(file):
        start = file.read(40).decode("latin-1")
        return FileInfo(name=file.name, size=file.size, content_type=file.content_type, text=start)


class UploadFile(graphene.Mutation):
    class Arguments:
        file = Upload(required=True)

    Output = graphene.NonNull(FileInfo)

    def mutate(parent, info, file):
        return FileInfo.of(file)


class UploadFiles(graphene.Mutation):
    class Arguments:
        files = graphene.List(graphene.NonNull(Upload), required=True)

    Output = graphene.NonNull(graphene.List(graphene.NonNull(FileInfo)))

    def mutate(parent, info, files):
        return [FileInfo.of(file) for file in files]


class Mutation(graphene.ObjectType):
    upload_file = UploadFile.Field()
    upload_files = UploadFiles.Field()


schema = graphene.Schema(query=Query, mutation=Mutation, types=[Human, Droid])


class View(FileUploadGraphQLView):
    """Writes JSON with Django's encoder, as apps do that have dates and decimals: a space behind each colon and comma."""

    def json_encode(self, request, d, pretty=False):
        return json.dumps(d, cls=DjangoJSONEncoder)


urlpatterns = [
    path("", csrf_exempt(View.as_view(schema=schema))),
    path("batch/", csrf_exempt(GraphQLView.as_view(schema=schema, batch=True))),
    path("pretty/", csrf_exempt(GraphQLView.as_view(schema=schema, pretty=True))),
    path("protected/", View.as_view(schema=schema)),
]
