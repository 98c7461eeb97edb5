package main

import (
	"context"
	"fmt"
	"os"
	"time"

	openapi "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func check(err error) {
	if err == nil {
		return
	}
	if told, is := err.(*openapi.GenericOpenAPIError); is {
		fmt.Fprintln(os.Stderr, string(told.Body()))
	}
	fmt.Fprintln(os.Stderr, err)
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
	ctx := context.WithValue(context.Background(), openapi.ContextAccessToken, os.Getenv("KEY"))
	configuration := openapi.NewConfiguration()
	configuration.Servers = openapi.ServerConfigurations{{URL: os.Getenv("ORIGIN")}}
	api := openapi.NewAPIClient(configuration)

	request := openapi.NewCreateSourceRequest()
	request.SetComponentUrl(os.Getenv("COMPONENT_URL"))
	created, _, err := api.SourcesAPI.CreateSource(ctx).CreateSourceRequest(*request).Execute()
	check(err)
	source := created.Data.Id
	fmt.Println("done: create a source")

	webhook, _, err := api.WebhooksAPI.CreateWebhook(ctx).Url(os.Getenv("HOOK_URL")).Execute()
	check(err)
	hook := webhook.Data.Id
	_, _, err = api.SubscriptionsAPI.CreateSubscription(ctx).EmitterId(source).ListenerId(hook).Execute()
	check(err)
	fmt.Println("done: subscribe a webhook")

	for _, name := range []string{"n", "n", "n", "fail"} {
		var value interface{} = true
		_, _, err = api.SourcesAPI.RunSource(ctx, source).RequestBody(map[string]*interface{}{name: &value}).Execute()
		check(err)
	}
	var events []openapi.EventSummary
	until(func() bool {
		page, _, err := api.SourcesAPI.ListSourceEventSummaries(ctx, source).Limit(10).Execute()
		check(err)
		events = page.Data
		return page.PageInfo.TotalCount == 3
	})
	ts, indexed := events[0].Metadata.GetTs(), events[0].IndexedAtMs
	fmt.Println("done: list events")

	var first openapi.Delivery
	until(func() bool {
		page, _, err := api.WebhooksAPI.ListDeliveries(ctx, hook).Status("delivered").Execute()
		check(err)
		if len(page.Data) == 3 {
			first = page.Data[0]
		}
		return len(page.Data) == 3
	})
	delivery, _, err := api.WebhooksAPI.GetDelivery(ctx, hook, first.Id).Execute()
	check(err)
	attempt := delivery.Data.AttemptLog[0].AtMs
	fmt.Println("done: read deliveries")

	tested, _, err := api.WebhooksAPI.TestWebhook(ctx, hook).Execute()
	check(err)
	fmt.Println("done: test the webhook")

	_, _, err = api.SourcesAPI.DeleteSourceEvents(ctx, source).StartId(events[1].Id).EndId(events[1].Id).Execute()
	check(err)
	until(func() bool {
		page, _, err := api.SourcesAPI.ListSourceEventSummaries(ctx, source).Execute()
		check(err)
		return page.PageInfo.TotalCount == 2
	})
	fmt.Println("done: delete a range of events")

	until(func() bool {
		page, _, err := api.SourcesAPI.ListSourceEventSummaries(ctx, source).EventName("$errors").Execute()
		check(err)
		return page.PageInfo.TotalCount == 1
	})
	fmt.Println("done: read errors")

	user, _, err := api.UsersAPI.GetUser(ctx).Execute()
	check(err)
	metrics, _, err := api.UsersAPI.GetMetrics(ctx).Measure("events").SourceId(source).Execute()
	check(err)
	fmt.Println("done: read user and metrics")
	fmt.Printf("{\"ts\": %.0f, \"indexed_at_ms\": %d, \"attempt_at_ms\": %d, \"outcome\": %q, \"username\": %q, \"bucket_ms\": %d}\n",
		ts, indexed, attempt, tested.Data.Outcome, user.Data.Username, metrics.Data[0].AtMs)
}
