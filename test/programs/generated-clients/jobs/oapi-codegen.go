package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"

	"job/client"
)

func check(status int, body []byte, err error) {
	if err == nil && status < 300 {
		return
	}
	fmt.Fprintln(os.Stderr, status, string(body), err)
	os.Exit(1)
}

func until(condition func() bool) {
	for end := time.Now().Add(time.Minute); !condition(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			panic("waited a minute")
		}
	}
}

func main() {
	ctx := context.Background()
	key := client.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
		return nil
	})
	api, err := client.NewClientWithResponses(os.Getenv("ORIGIN"), key)
	check(0, nil, err)

	url := os.Getenv("COMPONENT_URL")
	created, err := api.CreateSourceWithResponse(ctx, nil, client.CreateSourceJSONRequestBody{ComponentUrl: &url})
	check(created.StatusCode(), created.Body, err)
	source := created.JSON200.Data.Id
	fmt.Println("done: create a source")

	webhook, err := api.CreateWebhookWithResponse(ctx, &client.CreateWebhookParams{Url: os.Getenv("HOOK_URL")}, client.CreateWebhookJSONRequestBody{})
	check(webhook.StatusCode(), webhook.Body, err)
	hook := webhook.JSON200.Data.Id
	subscribed, err := api.CreateSubscriptionWithResponse(ctx, &client.CreateSubscriptionParams{EmitterId: source, ListenerId: hook}, client.CreateSubscriptionJSONRequestBody{})
	check(subscribed.StatusCode(), subscribed.Body, err)
	fmt.Println("done: subscribe a webhook")

	for _, name := range []string{"n", "n", "n", "fail"} {
		run, err := api.RunSourceWithResponse(ctx, source, nil, client.RunSourceJSONRequestBody{name: true})
		check(run.StatusCode(), run.Body, err)
	}
	list := func(stream *string) *client.ListSourceEventSummariesResponse {
		page, err := api.ListSourceEventSummariesWithResponse(ctx, source, &client.ListSourceEventSummariesParams{EventName: stream})
		check(page.StatusCode(), page.Body, err)
		return page
	}
	var events []client.EventSummary
	until(func() bool {
		events = list(nil).JSON200.Data
		return len(events) == 3
	})
	ts, indexed := *events[0].Metadata.Ts, events[0].IndexedAtMs
	fmt.Println("done: list events")

	var first client.Delivery
	until(func() bool {
		delivered := client.ListDeliveriesParamsStatus("delivered")
		page, err := api.ListDeliveriesWithResponse(ctx, hook, &client.ListDeliveriesParams{Status: &delivered})
		check(page.StatusCode(), page.Body, err)
		if len(page.JSON200.Data) == 3 {
			first = page.JSON200.Data[0]
		}
		return len(page.JSON200.Data) == 3
	})
	delivery, err := api.GetDeliveryWithResponse(ctx, hook, first.Id, nil)
	check(delivery.StatusCode(), delivery.Body, err)
	attempt := delivery.JSON200.Data.AttemptLog[0].AtMs
	fmt.Println("done: read deliveries")

	tested, err := api.TestWebhookWithResponse(ctx, hook, nil, client.TestWebhookJSONRequestBody{})
	check(tested.StatusCode(), tested.Body, err)
	fmt.Println("done: test the webhook")

	removed, err := api.DeleteSourceEventsWithResponse(ctx, source, &client.DeleteSourceEventsParams{StartId: &events[1].Id, EndId: &events[1].Id})
	check(removed.StatusCode(), removed.Body, err)
	until(func() bool { return list(nil).JSON200.PageInfo.TotalCount == 2 })
	fmt.Println("done: delete a range of events")

	errors := "$errors"
	until(func() bool { return list(&errors).JSON200.PageInfo.TotalCount == 1 })
	fmt.Println("done: read errors")

	user, err := api.GetUserWithResponse(ctx, nil)
	check(user.StatusCode(), user.Body, err)
	metrics, err := api.GetMetricsWithResponse(ctx, &client.GetMetricsParams{Measure: "events", SourceId: &source})
	check(metrics.StatusCode(), metrics.Body, err)
	fmt.Println("done: read user and metrics")
	fmt.Printf("{\"ts\": %.0f, \"indexed_at_ms\": %d, \"attempt_at_ms\": %d, \"outcome\": %q, \"username\": %q, \"bucket_ms\": %d}\n",
		ts, indexed, attempt, tested.JSON200.Data.Outcome, user.JSON200.Data.Username, metrics.JSON200.Data[0].AtMs)
}
