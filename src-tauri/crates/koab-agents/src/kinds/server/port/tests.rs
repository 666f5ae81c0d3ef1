use super::{PORTS, ServerPort};
use std::collections::BTreeSet;
use std::net::{Ipv4Addr, TcpListener};

#[test]
fn none_is_given_twice_while_it_is_kept_and_each_can_be_listened_on() {
    let kept: Vec<ServerPort> = (0..200).map(|_| ServerPort::take().expect("one is free")).collect();
    let numbers: BTreeSet<u16> = kept.iter().map(|port| port.number).collect();
    assert_eq!(numbers.len(), kept.len());
    for number in numbers {
        assert!(PORTS.contains(&number));
        TcpListener::bind((Ipv4Addr::LOCALHOST, number)).expect("nobody listens there");
    }
}
