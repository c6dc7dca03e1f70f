import json
import sys

import django
from django.conf import settings
from django.core.management import execute_from_command_line
from django.http import StreamingHttpResponse

settings.configure(
    SECRET_KEY="demo", ROOT_URLCONF=__name__, TIME_ZONE="UTC", ALLOWED_HOSTS=["*"],
    INSTALLED_APPS=["rest_framework", "drf_spectacular"],
    SPECTACULAR_SETTINGS={"TITLE": "Orders", "VERSION": "1.0.0", "SERVE_INCLUDE_SCHEMA": False},
    REST_FRAMEWORK={
        "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema", "UNAUTHENTICATED_USER": None,
        "DEFAULT_AUTHENTICATION_CLASSES": [], "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    },
)
django.setup()

from django.urls import path
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularJSONAPIView
from rest_framework import parsers, serializers, views
from rest_framework.response import Response


class Order(serializers.Serializer):
    order_id = serializers.IntegerField()
    unit_price = serializers.DecimalField(max_digits=8, decimal_places=2)
    created_at = serializers.DateTimeField()


orders = [
    {"order_id": 1, "unit_price": "9.50", "created_at": "2026-07-01T08:00:00Z"},
    {"order_id": 2, "unit_price": "4.00", "created_at": "2026-07-02T08:00:00Z"},
]


class PatchParser(parsers.JSONParser):
    media_type = "application/json-patch+json"


class Orders(views.APIView):
    @extend_schema(responses=Order(many=True))
    def get(self, request):
        key = request.GET.get("ordering", "order_id")
        found = sorted(orders, key=lambda order: order[key.lstrip("-")], reverse=key.startswith("-"))
        return Response(Order(found, many=True).data, headers={"Link": f'</orders/?ordering={key}&page=2>; rel="next"'})

    @extend_schema(request=Order, responses=Order)
    def post(self, request):
        order = Order(data=request.data)
        order.is_valid(raise_exception=True)
        return Response(order.data, status=201)


class OneOrder(views.APIView):
    parser_classes = [parsers.JSONParser, PatchParser]

    @extend_schema(request=Order, responses=Order)
    def patch(self, request, number):
        order = dict(orders[number - 1])
        for change in request.data:
            order[change["path"].lstrip("/")] = change["value"]
        return Response(Order(order).data)


def events(request):
    lines = (f"data: {json.dumps({'order_id': order['order_id'], 'new_state': 'paid'})}\n\n" for order in orders)
    return StreamingHttpResponse(lines, content_type="text/event-stream")


urlpatterns = [
    path("orders/", Orders.as_view()), path("orders/<int:number>/", OneOrder.as_view()), path("events/", events),
    path("openapi.json", SpectacularJSONAPIView.as_view()),
]

if __name__ == "__main__":
    execute_from_command_line([sys.argv[0], "runserver", "--noreload", "127.0.0.1:3000"])
