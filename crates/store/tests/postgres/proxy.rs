//! A network between a store and its database, which can be cut and can hang.

use std::net::Ipv4Addr;
use std::sync::Arc;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// Hands on what comes, between whoever connects here and a port of this machine.
pub(crate) struct Proxy {
    port: u16,
    way: Arc<watch::Sender<Way>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Way {
    /// How often it was cut.
    cuts: u64,
    hangs: bool,
}

impl Proxy {
    pub(crate) async fn start(to: u16) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let way = Way {
            cuts: 0,
            hangs: false,
        };
        let way = Arc::new(watch::Sender::new(way));
        let sees = Arc::clone(&way);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let Ok(server) = TcpStream::connect((Ipv4Addr::LOCALHOST, to)).await else {
                    continue;
                };
                let (from_client, to_client) = client.into_split();
                let (from_server, to_server) = server.into_split();
                tokio::spawn(hand_on(from_client, to_server, sees.subscribe()));
                tokio::spawn(hand_on(from_server, to_client, sees.subscribe()));
            }
        });
        Self { port, way }
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Ends every connection that there is.
    pub(crate) fn cut(&self) {
        self.way.send_modify(|way| way.cuts += 1);
    }

    /// Lets nothing through any more, or all again.
    pub(crate) fn hang(&self, hangs: bool) {
        self.way.send_modify(|way| way.hangs = hangs);
    }
}

async fn hand_on(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut way: watch::Receiver<Way>) {
    let cuts = way.borrow().cuts;
    let mut cut = way.clone();
    let mut bytes = vec![0; 1 << 16];
    loop {
        tokio::select! {
            () = until(&mut cut, |way| way.cuts != cuts) => return,
            read = from.read(&mut bytes) => {
                let Ok(many @ 1..) = read else {
                    return;
                };
                until(&mut way, |way| !way.hangs || way.cuts != cuts).await;
                if to.write_all(&bytes[..many]).await.is_err() {
                    return;
                }
            }
        }
    }
}

async fn until(way: &mut watch::Receiver<Way>, is: impl FnMut(&Way) -> bool) {
    // Where the proxy is gone, so is what it handed on.
    let _ = way.wait_for(is).await;
}
