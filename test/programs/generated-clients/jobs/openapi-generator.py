import json
import os
import time

import openapi_client
from openapi_client import CreateSourceRequest


def until(read):
    end = time.monotonic() + 60
    while not (found := read()):
        if time.monotonic() > end:
            raise TimeoutError("waited a minute")
        time.sleep(0.05)
    return found


configuration = openapi_client.Configuration(host=os.environ["ORIGIN"], access_token=os.environ["KEY"])
api = openapi_client.ApiClient(configuration)
sources, webhooks = openapi_client.SourcesApi(api), openapi_client.WebhooksApi(api)
subscriptions, users = openapi_client.SubscriptionsApi(api), openapi_client.UsersApi(api)

source = sources.create_source(CreateSourceRequest(component_url=os.environ["COMPONENT_URL"])).data.id
print("done: create a source")

hook = webhooks.create_webhook(url=os.environ["HOOK_URL"]).data.id
subscriptions.create_subscription(emitter_id=source, listener_id=hook)
print("done: subscribe a webhook")

for name in ["n", "n", "n", "fail"]:
    sources.run_source(source, request_body={name: True})


def of_length(items, length):
    return items if len(items) == length else None


events = until(lambda: of_length(sources.list_source_event_summaries(source, limit=10).data, 3))
print("done: list events")

deliveries = until(lambda: of_length(webhooks.list_deliveries(hook, status="delivered").data, 3))
delivery = webhooks.get_delivery(hook, deliveries[0].id).data
print("done: read deliveries")

tested = webhooks.test_webhook(hook).data
print("done: test the webhook")

sources.delete_source_events(source, start_id=events[1].id, end_id=events[1].id)
until(lambda: sources.list_source_event_summaries(source).page_info.total_count == 2)
print("done: delete a range of events")

until(lambda: of_length(sources.list_source_event_summaries(source, event_name="$errors").data, 1))
print("done: read errors")

user = users.get_user().data
metrics = users.get_metrics(measure="events", source_id=source).data
print("done: read user and metrics")
print(json.dumps({
    "ts": events[0].metadata.ts,
    "indexed_at_ms": events[0].indexed_at_ms,
    "attempt_at_ms": delivery.attempt_log[0].at_ms,
    "outcome": tested.outcome,
    "username": user.username,
    "bucket_ms": metrics[0].at_ms,
}))
