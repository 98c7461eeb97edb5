import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.SourcesApi;
import org.openapitools.client.api.SubscriptionsApi;
import org.openapitools.client.api.UsersApi;
import org.openapitools.client.api.WebhooksApi;
import org.openapitools.client.model.CreateSourceRequest;

public class Job {
  interface Read<T> {
    T read() throws ApiException;
  }

  static <T> T until(Read<T> read, Predicate<T> isThere) throws Exception {
    long end = System.nanoTime() + 60_000_000_000L;
    while (true) {
      T found = read.read();
      if (isThere.test(found)) return found;
      if (System.nanoTime() > end) throw new IllegalStateException("waited a minute");
      Thread.sleep(50);
    }
  }

  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("ORIGIN"));
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + System.getenv("KEY")));
    SourcesApi sources = new SourcesApi(client);
    WebhooksApi webhooks = new WebhooksApi(client);
    SubscriptionsApi subscriptions = new SubscriptionsApi(client);
    UsersApi users = new UsersApi(client);

    CreateSourceRequest request = new CreateSourceRequest().componentUrl(System.getenv("COMPONENT_URL"));
    String source = sources.createSource(request, null, null).getData().getId();
    System.out.println("done: create a source");

    String hook = webhooks.createWebhook(System.getenv("HOOK_URL"), null, null, null, null, null).getData().getId();
    subscriptions.createSubscription(source, hook, null, null, null, null);
    System.out.println("done: subscribe a webhook");

    for (String name : List.of("n", "n", "n", "fail")) sources.runSource(source, null, null, Map.of(name, true));
    var events =
        until(
                () -> sources.listSourceEventSummaries(source, 10, null, null, null, null, null, null, null),
                page -> page.getPageInfo().getTotalCount() == 3)
            .getData();
    System.out.println("done: list events");

    var deliveries =
        until(
                () ->
                    webhooks.listDeliveries(
                        hook, null, null, null, "delivered", null, null, null, null, null, null, null, null),
                page -> page.getData().size() == 3)
            .getData();
    var delivery = webhooks.getDelivery(hook, deliveries.get(0).getId(), null, null, null).getData();
    System.out.println("done: read deliveries");

    var tested = webhooks.testWebhook(hook, null, null, null).getData();
    System.out.println("done: test the webhook");

    String second = events.get(1).getId();
    sources.deleteSourceEvents(source, second, second, null, null, null);
    until(
        () -> sources.listSourceEventSummaries(source, null, null, null, null, null, null, null, null),
        page -> page.getPageInfo().getTotalCount() == 2);
    System.out.println("done: delete a range of events");

    until(
        () -> sources.listSourceEventSummaries(source, null, null, null, null, null, "$errors", null, null),
        page -> page.getData().size() == 1);
    System.out.println("done: read errors");

    var user = users.getUser(null, null).getData();
    var metrics = users.getMetrics("events", source, null, null, null, null, null, null).getData();
    System.out.println("done: read user and metrics");
    System.out.printf(
        "{\"ts\": %.0f, \"indexed_at_ms\": %d, \"attempt_at_ms\": %d, \"outcome\": \"%s\", \"username\": \"%s\", \"bucket_ms\": %d}%n",
        events.get(0).getMetadata().getTs(),
        events.get(0).getIndexedAtMs(),
        delivery.getAttemptLog().get(0).getAtMs(),
        tested.getOutcome(),
        user.getUsername(),
        metrics.get(0).getAtMs());
  }
}
