use openapi::apis::{
    configuration::Configuration, sources_api, subscriptions_api, users_api, webhooks_api,
};
use openapi::models;
use std::collections::HashMap;
use std::env::var;
use std::time::{Duration, Instant};

async fn pause(end: Instant) {
    assert!(Instant::now() < end, "waited a minute");
    tokio::time::sleep(Duration::from_millis(50)).await;
}

fn minute() -> Instant {
    Instant::now() + Duration::from_secs(60)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let api = Configuration {
        base_path: var("ORIGIN")?,
        bearer_access_token: Some(var("KEY")?),
        ..Configuration::new()
    };

    let request = models::CreateSourceRequest {
        component_url: Some(Some(var("COMPONENT_URL")?)),
        ..models::CreateSourceRequest::new()
    };
    let source = sources_api::create_source(&api, request, None, None).await?.data.id;
    println!("done: create a source");

    let url = var("HOOK_URL")?;
    let hook = webhooks_api::create_webhook(&api, &url, None, None, None, None, None).await?.data.id;
    subscriptions_api::create_subscription(&api, &source, &hook, None, None, None, None).await?;
    println!("done: subscribe a webhook");

    for name in ["n", "n", "n", "fail"] {
        let event = HashMap::from([(name.to_string(), serde_json::Value::Bool(true))]);
        sources_api::run_source(&api, &source, None, None, Some(event)).await?;
    }
    let end = minute();
    let events = loop {
        let page = sources_api::list_source_event_summaries(&api, &source, Some(10), None, None, None, None, None, None, None).await?;
        if page.page_info.total_count == 3 {
            break page.data;
        }
        pause(end).await;
    };
    println!("done: list events");

    let end = minute();
    let deliveries = loop {
        let page = webhooks_api::list_deliveries(&api, &hook, None, None, None, Some("delivered"), None, None, None, None, None, None, None, None).await?;
        if page.data.len() == 3 {
            break page.data;
        }
        pause(end).await;
    };
    let delivery = webhooks_api::get_delivery(&api, &hook, &deliveries[0].id, None, None, None).await?.data;
    println!("done: read deliveries");

    let tested = webhooks_api::test_webhook(&api, &hook, None, None, None).await?.data;
    println!("done: test the webhook");

    let second = events[1].id.as_str();
    sources_api::delete_source_events(&api, &source, Some(second), Some(second), None, None, None).await?;
    let end = minute();
    loop {
        let page = sources_api::list_source_event_summaries(&api, &source, None, None, None, None, None, None, None, None).await?;
        if page.page_info.total_count == 2 {
            break;
        }
        pause(end).await;
    }
    println!("done: delete a range of events");

    let end = minute();
    loop {
        let page = sources_api::list_source_event_summaries(&api, &source, None, None, None, None, None, Some("$errors"), None, None).await?;
        if page.data.len() == 1 {
            break;
        }
        pause(end).await;
    }
    println!("done: read errors");

    let user = users_api::get_user(&api, None, None).await?.data;
    let metrics = users_api::get_metrics(&api, "events", Some(&source), None, None, None, None, None, None).await?.data;
    println!("done: read user and metrics");
    println!(
        "{}",
        serde_json::json!({
            "ts": events[0].metadata.ts,
            "indexed_at_ms": events[0].indexed_at_ms,
            "attempt_at_ms": delivery.attempt_log[0].at_ms,
            "outcome": tested.outcome,
            "username": user.username,
            "bucket_ms": metrics[0].at_ms,
        })
    );
    Ok(())
}
