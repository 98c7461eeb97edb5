import json
import os
import time

from tributary_client import AuthenticatedClient
from tributary_client.api.sources import create_source, delete_source_events, list_source_event_summaries, run_source
from tributary_client.api.subscriptions import create_subscription
from tributary_client.api.users import get_metrics, get_user
from tributary_client.api.webhooks import create_webhook, get_delivery, list_deliveries, test_webhook
from tributary_client.models import (
    CreateSourceBody,
    CreateSubscriptionBody,
    CreateWebhookBody,
    GetMetricsMeasure,
    ListDeliveriesStatus,
    RunSourceBody,
    TestWebhookBody,
)


def until(read):
    end = time.monotonic() + 60
    while not (found := read()):
        if time.monotonic() > end:
            raise TimeoutError("waited a minute")
        time.sleep(0.05)
    return found


api = AuthenticatedClient(base_url=os.environ["ORIGIN"], token=os.environ["KEY"], raise_on_unexpected_status=True)

source = create_source.sync(client=api, body=CreateSourceBody(component_url=os.environ["COMPONENT_URL"])).data.id
print("done: create a source")

hook = create_webhook.sync(client=api, url_query=os.environ["HOOK_URL"], body=CreateWebhookBody()).data.id
create_subscription.sync(client=api, emitter_id=source, listener_id=hook, body=CreateSubscriptionBody())
print("done: subscribe a webhook")

for name in ["n", "n", "n", "fail"]:
    run_source.sync(source, client=api, body=RunSourceBody.from_dict({name: True}))


def of_length(items, length):
    return items if len(items) == length else None


events = until(lambda: of_length(list_source_event_summaries.sync(source, client=api).data, 3))
print("done: list events")

deliveries = until(
    lambda: of_length(list_deliveries.sync(hook, client=api, status=ListDeliveriesStatus.DELIVERED).data, 3)
)
delivery = get_delivery.sync(hook, deliveries[0].id, client=api).data
print("done: read deliveries")

tested = test_webhook.sync(hook, client=api, body=TestWebhookBody()).data
print("done: test the webhook")

delete_source_events.sync(source, client=api, start_id=events[1].id, end_id=events[1].id)
until(lambda: list_source_event_summaries.sync(source, client=api).page_info.total_count == 2)
print("done: delete a range of events")

until(lambda: of_length(list_source_event_summaries.sync(source, client=api, event_name="$errors").data, 1))
print("done: read errors")

user = get_user.sync(client=api).data
metrics = get_metrics.sync(client=api, measure=GetMetricsMeasure.EVENTS, source_id=source).data
print("done: read user and metrics")
print(json.dumps({
    "ts": events[0].metadata.ts,
    "indexed_at_ms": events[0].indexed_at_ms,
    "attempt_at_ms": delivery.attempt_log[0].at_ms,
    "outcome": tested.outcome,
    "username": user.username,
    "bucket_ms": metrics[0].at_ms,
}))
