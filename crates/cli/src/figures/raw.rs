//! Calls whose messages are bytes, sent and taken as they are: the same client for whoever answers.

use std::time::{Duration, Instant};

use alamein_figures::clock::Took;
use anyhow::{Context, Result, ensure};
use bytes::{Buf as _, BufMut as _, Bytes};
use futures::channel::mpsc::unbounded;
use http::uri::PathAndQuery;
use tokio::task::JoinSet;
use tonic::client::Grpc;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request, Status};

/// The longest answer that is taken.
const LONGEST: usize = 64 << 20;
/// How long to wait before who was turned away asks again.
const BUSY: Duration = Duration::from_millis(1);

/// Messages are bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Raw;

impl Codec for Raw {
    type Encode = Bytes;
    type Decode = Bytes;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Self
    }

    fn decoder(&mut self) -> Self {
        Self
    }
}

impl Encoder for Raw {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, item: Bytes, into: &mut EncodeBuf<'_>) -> Result<(), Status> {
        into.put(item);
        Ok(())
    }
}

impl Decoder for Raw {
    type Item = Bytes;
    type Error = Status;

    fn decode(&mut self, from: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        Ok(Some(from.copy_to_bytes(from.remaining())))
    }
}

/// A method of a service, with requests to send to it, each in its turn.
#[derive(Clone, Debug)]
pub(super) struct Method {
    channels: Vec<Channel>,
    path: PathAndQuery,
    requests: Vec<Bytes>,
}

impl Method {
    /// A method of the service at an address, over so many connections.
    pub(super) async fn new(
        address: &str,
        connections: usize,
        path: &str,
        requests: Vec<Bytes>,
    ) -> Result<Self> {
        ensure!(!requests.is_empty(), "there is nothing to ask");
        let endpoint = Endpoint::from_shared(format!("http://{address}"))?.tcp_nodelay(true);
        let mut channels = Vec::with_capacity(connections);
        for _ in 0..connections.max(1) {
            channels.push(endpoint.connect().await.context("no connection")?);
        }
        Ok(Self {
            channels,
            path: path.parse()?,
            requests,
        })
    }

    /// Sends the request of this number, and gives the answer.
    pub(super) async fn call(&self, number: usize) -> Result<Bytes, Status> {
        let channel = &self.channels[number % self.channels.len()];
        self.call_over(channel, number).await
    }

    async fn call_over(&self, channel: &Channel, number: usize) -> Result<Bytes, Status> {
        let request = self.requests[number % self.requests.len()].clone();
        let mut grpc = Grpc::new(channel.clone()).max_decoding_message_size(LONGEST);
        grpc.ready()
            .await
            .map_err(|error| Status::unavailable(error.to_string()))?;
        let answer = grpc.unary(Request::new(request), self.path.clone(), Raw);
        Ok(answer.await?.into_inner())
    }

    /// Keeps so many messages under way in one stream for a while, the first request before all others, and
    /// gives how many were answered in a second. Each is answered with one.
    pub(super) async fn keep_streaming(&self, window: usize, time: Duration) -> Result<f64> {
        let (ask, asked) = unbounded();
        let channel = self.channels.first().context("no connection")?;
        let mut grpc = Grpc::new(channel.clone()).max_decoding_message_size(LONGEST);
        grpc.ready().await?;
        let mut numbers = 0..;
        let mut send = || {
            // The first once, and then the others over and over.
            let number: usize = numbers.next().unwrap_or_default();
            let others = self.requests.len().saturating_sub(1).max(1);
            let at = if number == 0 {
                0
            } else {
                1 + (number - 1) % others
            };
            let request = self.requests.get(at).cloned().unwrap_or_default();
            // Whoever does not hear it has ended the stream, and says why.
            let _ = ask.unbounded_send(request);
        };
        (0..window).for_each(|_| send());
        let answers = grpc.streaming(Request::new(asked), self.path.clone(), Raw);
        let mut answers = answers.await?.into_inner();
        let (start, mut answered) = (Instant::now(), 0u32);
        while answered == 0 || start.elapsed() < time {
            let answer = answers.message().await.context("a stream failed")?;
            answer.context("a stream ended")?;
            answered += 1;
            send();
        }
        Ok(f64::from(answered) / start.elapsed().as_secs_f64())
    }

    /// Keeps so many calls under way for a while.
    pub(super) async fn keep_asking(&self, at_once: usize, time: Duration) -> Result<Asked> {
        let end = Instant::now() + time;
        let mut askers = JoinSet::new();
        let start = Instant::now();
        for asker in 0..at_once {
            let method = self.clone();
            askers.spawn(async move {
                let mut took = Vec::new();
                let mut number = asker;
                let channel = method.channels[asker % method.channels.len()].clone();
                // One at least, however short the time is.
                while Instant::now() < end || took.is_empty() {
                    let begun = Instant::now();
                    match method.call_over(&channel, number).await {
                        Ok(_) => took.push(begun.elapsed()),
                        // It is busy: what it turned away is not answered, and so does not count.
                        Err(status) if status.code() == Code::ResourceExhausted => {
                            tokio::time::sleep(BUSY).await;
                        }
                        Err(status) => return Err(status),
                    }
                    // Another request than the last, and than the neighbour's.
                    number += 7;
                }
                Ok::<_, Status>(took)
            });
        }
        let mut all = Vec::new();
        while let Some(asker) = askers.join_next().await {
            all.extend(asker?.context("a call failed")?);
        }
        all.sort_unstable();
        Ok(Asked {
            rate: all.len() as f64 / start.elapsed().as_secs_f64(),
            took: all,
        })
    }
}

/// What came of calls that were kept under way.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked {
    /// Calls in a second.
    pub(super) rate: f64,
    /// How long each took, in order.
    took: Vec<Duration>,
}

impl Asked {
    /// Within how many seconds this part of the calls was answered.
    pub(super) fn within(&self, part: f64) -> f64 {
        let at = (part * self.took.len() as f64).ceil() as usize;
        let found = self.took.get(at.saturating_sub(1));
        found.map_or(f64::NAN, Duration::as_secs_f64)
    }
}

/// What came of several goes, in the middle of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Goes(Vec<Asked>);

impl Goes {
    pub(super) fn add(&mut self, asked: Asked) {
        self.0.push(asked);
    }

    /// How long a call took of all that there was, in the middle of all goes.
    pub(super) fn rate(&self) -> Took {
        Took::of(self.0.iter().map(|asked| 1.0 / asked.rate).collect())
    }

    /// Within how many milliseconds this part of the calls was answered, in the middle of all goes.
    pub(super) fn within(&self, part: f64) -> f64 {
        let all = self.0.iter().map(|asked| asked.within(part) * 1e3);
        Took::of(all.collect()).middle
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_told_of_what_was_asked() {
        let asked = Asked {
            rate: 100.0,
            took: (1..=100).map(Duration::from_millis).collect(),
        };
        assert_eq!((asked.within(0.5), asked.within(0.99)), (0.05, 0.099));
        let mut goes = Goes::default();
        goes.add(asked);
        assert_eq!(goes.within(1.0), 100.0);
        assert!((goes.rate().rate() - 100.0).abs() < 1e-9);
    }
}
